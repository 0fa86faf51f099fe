// The hall's screen: the round's matches at their boards, and beside them in turn the standings, the twenties and the way to
// one's own phone; at every other turn the play-offs as a bracket; at the end of the evening the first three.

import { fitted, isOpen, platesOf, progress, sideLines, standingsTable, troublesOf, twentiesMissing, wordOf } from './club.js';
import { bracket, podium, pointsOf } from './club_ending.js';
import { byId, each, el, page, refresh, withId } from '../shared/dom.js';
import { live } from '../shared/live.js';
import { joined, known, locale, say } from '../shared/words.js';

const PAUSE = 10_000; // milliseconds per page: time to find one's name among twelve
const MATCHES = 6; // of a page, readable from ten metres; beside each of them two lines
const LINES = 2 * MATCHES;
const COLUMNS = 3; // rounds of the bracket that are large enough to read
const SLOTS = 8; // matches of such a round

let state = null;
let turn = 0;

/** Split a list into equal parts, each short enough for a page. */
function parts(list, most) {
  const all = Math.ceil(list.length / most);
  const length = Math.ceil(list.length / all);
  return Array.from({ length: all }, (_, k) => list.slice(k * length, (k + 1) * length));
}

/** A match at its board, with its score once it has begun; a board's next match waits for its turn. */
function row(match, plates) {
  const { board: id, word } = match;
  const board = withId(state.boards, id);
  const notes = joined([match.name, ...(word === 'over' ? [] : [!isOpen(match) && wordOf(match), ...(board ? troublesOf(board) : [])])]);
  return el('li', { 'data-board': id, class: word === 'over' ? word : board?.now?.match !== match.id && 'waits' },
    el('b.plate', fitted(plates.get(id))),
    sideLines(match, pointsOf(match, state), fitted), notes && el('small', fitted(notes)));
}

const list = (lines) => el('ol', each('li', lines));

/** What stands beside the matches in turn: a title and how to build it. */
function tables() {
  const { stages } = state;
  const race = state.standings.filter((line) => line.all_twenties > 0).sort((a, b) => b.all_twenties - a.all_twenties).slice(0, LINES);
  return [
    ...stages.flatMap((stage, k) => parts(state.standings.filter((line) => line.stage === k + 1), LINES).map((lines) => (
      [stages.length > 1 ? stage : say('Standings'), () => [standingsTable(lines), twentiesMissing(lines)]]))),
    ...(race.length ? [[say('Twenties'), () => list(race.map((line) => [fitted(line.name), el('b', known(line.all_twenties, !line.all_twenties_missing))]))]] : []),
    ...parts(state.byes, LINES).map((names) => [say('Bye'), () => list(names.map((name) => fitted(name)))]),
    null,
  ];
}

/** The rounds of play-offs that matter now, as many as are large enough to read. */
function rounds() {
  const now = state.bracket.findIndex((slots) => slots.some(({ won }) => won === null));
  const last = Math.max(COLUMNS, (now < 0 ? state.bracket.length : now) + 2);
  return state.bracket.slice(0, last).slice(-COLUMNS).filter((slots) => slots.length <= SLOTS);
}

function show() {
  const place = ({ board, turn: queue }) => 100 * state.boards.findIndex(({ id }) => id === board) + queue;
  const matches = parts([...state.matches].sort((a, b) => place(a) - place(b)), MATCHES);
  const beside = tables();
  const played = rounds();
  const all = Math.max(matches.length, beside.length);
  const asBracket = played.length > 0 && turn % 2 === 0;
  const k = played.length ? turn >> 1 : turn;
  const plates = platesOf(state.boards);
  page.dataset.pages = String(played.length ? 2 * all : all);
  page.dataset.shows = asBracket ? 'bracket' : 'matches';
  page.toggleAttribute('data-named', [...plates.values()].some((name) => name.length > 3));
  byId('page').textContent = matches.length > 1 && !state.podium.length && !asBracket ? `${k % matches.length + 1} / ${matches.length}` : '';
  byId('time').textContent = new Date().toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
  refresh('bracket', () => asBracket && bracket(played, state));
  refresh('boards', () => matches.length > 0 && matches[k % matches.length].map((match) => row(match, plates)));
  const [title, build] = beside[k % beside.length] ?? [];
  refresh('slide', () => build && [el('h2', title), build()]);
  byId('join').hidden = Boolean(build);
}

live((now) => {
  state = now;
  const { round, round_names: names, finished, closed } = now;
  const words = round === 0 || finished || closed ? progress(now) : names.join(' · ') || say('Round {n}', { n: round });
  refresh('evening', () => fitted(words));
  page.dataset.ended = now.podium.length ? 'yes' : 'no';
  refresh('podium', () => podium(now.podium));
  show();
});
setInterval(() => { turn += 1; show(); }, PAUSE);
