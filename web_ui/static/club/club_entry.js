// The desk's open matches: each with the fields of its result on one line, and below them the consequences before Enter.

import { boardName, figures, versus } from './club.js';
import { carryOut, placeLine, preview } from './club_plan.js';
import { resultFields } from './club_result.js';
import { el, refresh } from '../shared/dom.js';
import { attempt } from '../shared/forms.js';
import { say } from '../shared/words.js';

/** The result of a match on one line; Enter carries out the consequences shown below it. */
function entry(match) {
  const fields = resultFields(match, true);
  const follows = el('p', { class: 'hint follows', 'aria-live': 'polite' });
  let typed = 0;
  const plan = () => {
    const [points, twenties] = fields.values();
    return preview({ event: 'result', match: match.id, sides: match.entrants, points, ...(twenties && { twenties }) });
  };
  async function show() {
    typed += 1;
    const now = typed;
    follows.textContent = '';
    if (!fields.complete()) return;
    const planned = await plan().catch(() => null); // an impossible result is refused at Enter, with the reason
    if (planned && now === typed) follows.textContent = `${figures(fields.values()[0])} → ${placeLine(planned.places)}`;
  }
  const element = el('form', { class: 'inline', oninput: show }, fields.element, el('button', { type: 'submit' }, say('Save')), follows);
  element.addEventListener('submit', (event) => {
    event.preventDefault();
    const names = versus(match.names);
    attempt(async () => carryOut(names, await plan().catch(({ message }) => { throw new Error(`${names}: ${message}`); })));
  });
  return element;
}

function line(match, state, more) {
  const { claim } = match;
  const says = claim && say('{name} says: {result}', { name: match.names[match.entrants.indexOf(claim.by)], result: figures(claim.points) });
  return [el('p.who', versus(match.names), el('small', ' ', [match.name, boardName(state, match.board), match.word !== 'waiting' && say('going on')].filter(Boolean).join(' · '))),
    says && el('p.hint', says), entry(match), el('div.actions', more(match))];
}

const nodes = new Map();

/** The list of open matches. A line is rebuilt only if its own match has changed. */
export function openMatches(list, matches, state, more) {
  const ids = new Set(matches.map(({ id }) => id));
  [...nodes.keys()].filter((id) => !ids.has(id)).forEach((id) => { nodes.get(id).remove(); nodes.delete(id); });
  matches.forEach((match, k) => {
    if (!nodes.has(match.id)) nodes.set(match.id, el('li', { 'data-match': match.id }));
    const node = nodes.get(match.id);
    refresh(node, [match, boardName(state, match.board)], () => line(match, state, more));
    if (list.children[k] !== node) list.insertBefore(node, list.children[k] ?? null);
  });
}
