// A field for a player's name that suggests known players: the editable combobox of WAI-ARIA's practices.

import { getJson } from '../shared/commands.js';
import { el, page, put } from '../shared/dom.js';
import { say } from '../shared/words.js';

const MOST = 5; // suggestions at one time: what a small phone shows above its keyboard

/** The known players, most recent and frequent first; none if the table does not answer. */
export const knownPlayers = () => getJson('/api/v1/players').then(({ known }) => known.map((one) => one.player), () => []);

const plain = (name) => name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().trim();

let lists = 0;

/** A field for a name, and its list of suggestions: `names`, once they have loaded, except those that are `taken()`. */
export function nameField(attributes, names, taken) {
  const id = `names-${lists += 1}`;
  const list = el('ul.names', { role: 'listbox', id, 'aria-label': say('Players who have played here'), hidden: true, onpointerdown: (event) => event.preventDefault() }); // the field keeps the focus
  const input = el('input', { ...attributes, required: true, maxlength: page.dataset.longestName, role: 'combobox', autocomplete: 'off', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': id,
    onfocus: () => { input.select(); show(''); }, oninput: () => show(plain(input.value)), onblur: () => close(), onkeydown: (event) => press(event) });
  let at = -1;
  let shown = 0; // counts openings and closings, so that names that load late do not reopen a closed list
  const mark = (index) => {
    at = index;
    [...list.children].forEach((one, i) => one.setAttribute('aria-selected', String(i === at)));
    input.setAttribute('aria-activedescendant', list.children[at]?.id ?? '');
  };
  const open = (found) => {
    put(list, found.map((name, i) => el('li', { role: 'option', id: `${id}-${i}`, onclick: () => choose(name) }, name)));
    list.hidden = !found.length;
    input.setAttribute('aria-expanded', String(!list.hidden));
    mark(-1);
  };
  const close = () => { shown += 1; open([]); };
  const choose = (name) => {
    input.value = name;
    input.dispatchEvent(new Event('input', { bubbles: true }));
    close();
  };
  const show = async (typed) => {
    const now = shown += 1;
    const all = await names;
    if (now !== shown) return;
    const others = taken().map(plain);
    const free = all.filter((name) => !others.includes(plain(name)) && plain(name) !== plain(input.value));
    open(free.filter((name) => ` ${plain(name)}`.includes(` ${typed}`)).slice(0, MOST)); // a word of it begins so
  };
  const press = (event) => {
    const count = list.children.length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && !count) show('');
    else if (step) mark((at + step + count + (at < 0 && step < 0 ? 1 : 0)) % count);
    else if (event.key === 'Enter' && at >= 0) choose(list.children[at].textContent);
    else if (event.key === 'Escape' && count) close();
    else return;
    event.preventDefault(); // otherwise Enter would start the match, and Escape close the sheet
    event.stopPropagation();
  };
  return [input, list];
}
