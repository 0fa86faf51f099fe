// Sets up an evening: players, format, boards.

import { ownWord, postJson } from '../shared/commands.js';
import { el, folded, refresh, settings } from '../shared/dom.js';
import { formatEditor } from './club_format.js';
import { check, closeSheet, field, form, openForm, openSheet, textField } from '../shared/forms.js';
import { AND, say } from '../shared/words.js';

/** The names of a pasted list: one a line, or all on one line with commas. */
export function lines(text) {
  const found = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  return found.length === 1 ? found[0].split(/[,;\t]/).map((name) => name.trim()).filter(Boolean) : found;
}

export const list = (value = '') => el('textarea', { rows: 8, id: 'players', name: 'players' }, value);

/** Names to add to a list of players with a tap, each once. */
function others(names, players) {
  const add = ({ target }) => { players.value = [...lines(players.value), target.textContent].join('\n'); target.remove(); };
  return names.length > 0 && folded(say('Others who have played here'),
    el('div.actions', names.map((name) => el('button.quiet', { onclick: add }, name))));
}

/** The form that begins an evening. `done()` reloads the desk, `renew(desk)` shows boards added since. `last`: the players
 *  of the last evening, so that only changes have to be typed. */
export function begin(desk, done, last = []) {
  let id = ownWord(); // makes the request harmless when it is sent again
  const format = formatEditor(desk.formats);
  const players = list(last.join('\n'));
  const present = new Set(last.flatMap((name) => name.split(AND)));
  const boards = el('div.entry');
  const chosen = () => [...boards.querySelectorAll('input:checked')].map((box) => box.value);
  const renew = ({ tables }) => refresh(boards, () => (tables.length
    ? tables.map((table) => check('board', table.by_hand ? say('{name}, scored by phone', table) : table.name, true, { value: table.id }))
    : el('p.hint', say('Add the club\'s boards first.'))));
  renew(desk);
  const element = form(say('Begin the evening'), async ({ title, players: names, doubles }) => {
    await postJson('/api/begin', { id, title, format: format.value(), players: lines(names), doubles, boards: chosen() });
    id = ownWord();
    if (element.closest('dialog')) closeSheet(); // unless another sheet was opened before the answer
    await done();
  }, textField('title', say('Title'), { maxlength: 60 }), format.elements, field(say('Players, one on each line'), players), others(desk.people.filter((name) => !present.has(name)), players),
  check('doubles', say('Doubles: both partners on one line, with & between them'), last.some((name) => name.includes(AND))), el('fieldset', el('legend', say('Boards')), boards));
  return { element, renew };
}

/** Show a table with hardware how to join. */
export async function showJoinCode(table) {
  const { code } = await postJson('/api/join-code', { table: table.id });
  openSheet(table.name, el('p', say('Enter this address and this code on the set-up page of the table, under Club. The code works once, within an hour.')),
    el('p.against', settings.join), el('p.against', code.replace(/^.{4}/, '$&-')));
}

/** Revoke a table's token, for example because somebody else has its memory card. */
export function revokeTable({ id, name }, done) {
  openForm(name, say('Revoke'), async () => { await postJson('/api/revoke', { table: id }); await done(); },
    el('p', say('What {name} plays no longer counts here until it joins again with a new code. The table keeps what it has played.', { name })));
}

/** The form that adds tables to the club; those that were added leave the list, so that a refusal of the next loses nothing. */
export function addTable(done) {
  const names = el('textarea', { rows: 4, required: true });
  openForm(say('Add a board'), say('Add'), async (checked) => {
    const all = lines(names.value);
    try {
      for (const [k, name] of all.entries()) {
        const { id } = await postJson('/api/tables', { name, ...checked });
        names.value = all.slice(k + 1).join('\n');
        if (k === all.length - 1 && !checked.by_hand) await showJoinCode({ id, name });
      }
    } finally { await done(); }
  }, field(say('Names, one on each line'), names), check('by_hand', say('No hardware: phones keep its score'), true));
}
