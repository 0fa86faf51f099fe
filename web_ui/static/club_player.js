// A player's phone: my next match and board, my results, and how everybody stands.

import { ask } from './commands.js';
import { boardCard, boardName, progress, resultOf, standings, versus } from './club.js';
import { byId, el, refresh, remembered } from './dom.js';
import { field } from './forms.js';
import { live } from './live.js';
import { locale, say } from './words.js';

const KEY = 'club-player';

let state = null;
let me = remembered.get(KEY);

function choose(id) {
  me = id || null;
  remembered.set(KEY, me ?? '');
  show(state);
}

function whoAmI() {
  const names = [...state.players].sort((a, b) => a.name.localeCompare(b.name, locale, { numeric: true }));
  const input = el('select', { id: 'me', onchange: () => choose(input.value) }, el('option', { value: '' }, '–'),
    names.map(({ id, name }) => el('option', { value: id, selected: id === me }, name)));
  return field(say('I am'), input);
}

/** My next match: against whom, and where. */
function next() {
  const match = state.matches.find((one) => one.entrants.includes(me) && ['waiting', 'going_on', 'reopened'].includes(one.word));
  if (!match) return el('p', {}, state.byes.includes(nameOf(me)) ? say('You have a bye in this round.') : say('You have no match to play now.'));
  return [el('h2', {}, boardName(state, match.board)), el('p', { class: 'against' }, versus(match.names)),
    el('p', { class: 'hint' }, state.boards.some((board) => board.now?.match === match.id) ? resultOf(match) : say('After the match that is played there now.'))];
}

const nameOf = (id) => state.players.find((row) => row.id === id)?.name;

async function showMine() {
  const rounds = me ? (await ask(`/api/matches/${encodeURIComponent(me)}`)).matches : [];
  refresh(byId('mine'), [me, rounds], () => rounds.length > 0 && [el('h2', {}, say('My matches')),
    el('ul', { class: 'matches' }, [...rounds].reverse().map((match) => el('li', {}, el('span', {}, versus(match.names)), el('b', {}, resultOf(match)))))]);
}

function show(now) {
  const known = now.players.some((one) => one.id === me);
  state = now;
  refresh(byId('who'), [me, now.players], () => now.players.length > 0 && whoAmI());
  refresh(byId('next'), [me, now.matches, now.byes], () => known && next());
  refresh(byId('boards'), now.boards, () => [el('h2', {}, progress(now)), el('div', { class: 'boards' }, now.boards.map(boardCard))]);
  refresh(byId('standings'), [me, now.standings], () => standings(now.standings, me));
  showMine().catch(() => {}); // the banner tells that the hub does not answer
}

live(show);
