// The desk's open matches: each with the fields of its result on one line, and below them the consequences before Enter.

import { figures, isOpen, isOver, platesOf, troublesOf, versus, wordOf } from './club.js';
import { carryOut, placeLine, preview } from './club_plan.js';
import { resultFields } from './club_result.js';
import { el, refresh, withId } from '../shared/dom.js';
import { attempt } from '../shared/forms.js';
import { say } from '../shared/words.js';

/** The result of a match on one line; Enter carries out the consequences shown below it. */
function entry(match) {
  const fields = resultFields(match, true);
  const follows = el('p.hint.follows', { 'aria-live': 'polite' });
  let typed = 0;
  const plan = (result) => preview({ event: 'result', match: match.id, sides: match.entrants, ...result });
  async function show() {
    typed += 1;
    const now = typed;
    follows.textContent = '';
    const planned = await (async () => plan(fields.values()))().catch(() => null); // what is incomplete or impossible is refused at Enter, with the reason
    if (planned && now === typed) follows.textContent = `${figures(fields.values().points)} → ${placeLine(planned.places)}`;
  }
  function save(event) {
    event.preventDefault();
    const names = versus(match.names);
    attempt(async () => carryOut(names, await plan(fields.values()).catch(({ message }) => { throw new Error(`${names}: ${message}`); })));
  }
  return el('form.inline', { oninput: show, onsubmit: save }, fields.element, el('button', { type: 'submit' }, say('Save')), follows);
}

const ORDER = ['bad', 'act', 'wait', 'good', '']; // what needs somebody first, then what is played, then what has not begun

/** The state of a match: its lamp, and in words. */
function statusOf(match, state) {
  const { claim, word } = match;
  const board = withId(state.boards, match.board);
  if (isOver(match)) return ['', wordOf(match)];
  if (claim) return ['act', say('{name} says: {result}', { name: match.names[match.entrants.indexOf(claim.by)], result: figures(claim.points) })];
  if (!isOpen(match)) return [word === 'reopened' ? 'wait' : 'bad', wordOf(match)];
  const troubles = board ? troublesOf(board) : [];
  if (troubles.length) return ['bad', troubles.join(' ')];
  const now = board?.now;
  if (now?.started && now.match === match.id) return ['good', [say('Round {n}', { n: now.round }), figures(now.score)].join(' · ')];
  return [word === 'waiting' ? '' : 'good', wordOf(match)];
}

function status(match, state) {
  const [lamp, words] = statusOf(match, state);
  return el('p.status', { class: lamp }, words);
}

/** A match on its line: its board and sides, the fields for its result or the result, and what else can be done. */
export const line = (match, state, more) => {
  const name = platesOf(state.boards).get(match.board) ?? '';
  return [el('b.at', { class: name.length > 3 && 'long' }, name),
    el('div.who', match.names.map((one, k) => el('p', { class: match.won === k && 'won' }, one)), match.name && el('small', match.name)),
    isOpen(match) ? entry(match) : el('div.result.compact', [match.points, match.twenties].map((figures) => match.names.map((_, k) => el('b', figures?.[k] ?? '–')))),
    status(match, state), more(match)];
};

const nodes = new Map();

/** The list of matches that are not over, those first that need somebody. A line is rebuilt only if its own match has changed,
 *  and the order stays while somebody types. */
export function openMatches(list, state, more) {
  const rank = (match) => ORDER.indexOf(statusOf(match, state)[0]);
  const matches = state.matches.filter((match) => !isOver(match)).sort((a, b) => rank(a) - rank(b));
  const ids = new Set(matches.map(({ id }) => id));
  [...nodes.keys()].filter((id) => !ids.has(id)).forEach((id) => { nodes.get(id).remove(); nodes.delete(id); });
  const typing = list.contains(document.activeElement);
  matches.forEach((match, k) => {
    if (!nodes.has(match.id)) nodes.set(match.id, el('li', { 'data-match': match.id }));
    const node = nodes.get(match.id);
    refresh(node, () => line(match, state, more), [match, [...platesOf(state.boards)]]);
    node.querySelector('.status')?.replaceWith(status(match, state));
    if (node.parentNode !== list || (!typing && list.children[k] !== node)) list.insertBefore(node, list.children[k] ?? null);
  });
}
