// The hall's screen: the boards, and beside them in turn the matches, the bracket, the standings and the race for
// twenties; at the end of the evening the first three. What does not fit at a size readable from ten metres takes turns.

import { boardCard, boardName, fitted, progress, resultOf, standingsTable, twentiesMissing } from './club.js';
import { bracket, podium } from './club_ending.js';
import { byId, el, page, refresh } from '../shared/dom.js';
import { live } from '../shared/live.js';
import { known, say } from '../shared/words.js';

const PAUSE = 10_000; // milliseconds per slide: time to find one's name among fifteen
const LINES = 15; // of a slide, at most: readable from ten metres on a screen of a metre
const HEADING = 1.6; // a heading's height in lines
const LEAST = 9; // lines: a slide with fewer has no larger type
const HALF = 23; // letters of a name that fit beside another on a line
const LONG = 33; // letters of a name beyond which its type is so small that two lines take less height
const BRACKET = 3; // rounds of the bracket: from the quarter-finals on
const GRIDS = [[1, 1], [1, 2], [2, 2], [2, 3], [3, 3], [3, 4], [3, 5]]; // columns and rows of boards shown at once
const TALL = [[1, 2], [1, 4], [2, 4], [2, 6]]; // the same on an upright screen

let state = null;
let turn = 0;

/** Split a list into equal parts, each short enough for a slide. */
function parts(list, most = LINES) {
  if (!list.length) return [];
  const length = Math.ceil(list.length / Math.ceil(list.length / most));
  return Array.from({ length: Math.ceil(list.length / most) }, (_, k) => list.slice(k * length, (k + 1) * length));
}

const longest = (texts) => Math.max(...texts.map(({ length }) => length));

const where = (match) => (match.word === 'waiting' ? boardName(state, match.board) : resultOf(match));

/** Matches in the largest type that their longest names allow: on one line, or one side under the other. */
function pairs(some, stacked) {
  const line = (match) => el('li', el('div.sides', fitted(match.names[0]), !stacked && '–', fitted(match.names[1])), el('b', stacked ? fitted(where(match)) : where(match)));
  const list = el('ul', { class: stacked ? 'stacked' : 'pairs' }, some.map(line));
  list.style.setProperty('--all', String(2 * longest(some.flatMap(({ names }) => names)) + longest(some.map(where))));
  return list;
}

/** The matches: two lines each if names are long or matches few, in smaller type if names are long. */
function matches() {
  if (!state.matches.length) return [];
  const letters = longest(state.matches.flatMap(({ names }) => names));
  const stacked = letters > HALF || state.matches.length <= LINES / 2;
  const high = letters <= LONG ? 2 : letters < 2 * HALF ? 1.4 : 2.4; // a match's height in lines: two of usual type, two small ones, or four small ones
  const each = stacked ? high : 1;
  return parts(state.matches, Math.floor(LINES / each)).map((some) => [say('Matches'), () => pairs(some, stacked), some.length * each]);
}

const twenties = (rows) => el('ol', rows.map((row) => el('li', fitted(row.name), el('b', known(row.all_twenties, !row.all_twenties_missing)))));

/** The slides' parts: title, content, and height in lines. */
function topics() {
  const race = state.standings.filter((row) => row.all_twenties > 0).sort((a, b) => b.all_twenties - a.all_twenties);
  const over = state.podium.length > 0;
  return [
    ...(state.bracket.length ? [[null, () => bracket(state.bracket, state, BRACKET), 0]] : []),
    ...(over || (state.bracket.length && state.open === 0) ? [] : matches()),
    ...parts(state.standings).map((some) => [say('Standings'), () => [standingsTable(some, null, state.stages), twentiesMissing(some)], some.length + 1 + (state.stages.length > 1 ? new Set(some.map(({ stage }) => stage)).size : 0)]),
    ...parts(race).slice(0, 1).map((some) => [say('Twenties'), () => twenties(some), some.length]),
    ...(state.byes.length ? [[say('Bye'), () => el('ul', state.byes.map((name) => el('li', fitted(name)))), state.byes.length]] : []),
  ];
}

/** Combine short parts on one slide. */
function slides() {
  const packed = [];
  let left = 0;
  for (const [title, build, lines] of topics()) {
    const needs = lines + HEADING;
    if (needs > left) { packed.push({ topics: [], lines: 0 }); left = LINES + 2 * HEADING; }
    left = lines ? left - needs : 0;
    packed.at(-1).topics.push([title, build]);
    packed.at(-1).lines += needs;
  }
  return packed;
}

function showSlide() {
  const all = slides();
  page.dataset.slides = String(all.length);
  if (!all.length) { byId('slide').replaceChildren(); return; }
  const { topics: shown, lines } = all[turn % all.length];
  byId('slide').style.setProperty('--lines', String(Math.max(lines, LEAST)));
  refresh(byId('slide'), [turn % all.length, state], () => shown.map(([title, build]) => [title && el('h2', title), build()]));
}

/** Lay out the boards in as many columns as needed; if there are too many, parts take turns. */
function showBoards() {
  const place = byId('boards');
  const cards = /** @type {HTMLElement[]} */ ([...place.children]);
  const grids = innerWidth < innerHeight ? TALL : GRIDS;
  const [columns, rows] = grids.find(([across, down]) => across * down >= cards.length) ?? grids.at(-1);
  const all = Math.max(1, Math.ceil(cards.length / (columns * rows)));
  const each = Math.ceil(cards.length / all);
  place.style.setProperty('--columns', String(columns));
  place.style.setProperty('--rows', String(rows));
  cards.forEach((card, k) => { card.hidden = Math.floor(k / each) !== turn % all; });
  byId('page').textContent = all > 1 && !state.podium.length ? `${turn % all + 1} / ${all}` : '';
}

function showAll() {
  showBoards();
  showSlide();
}

live((now) => {
  state = now;
  const words = [progress(now), now.title].filter(Boolean).join(' · ');
  byId('evening').textContent = words;
  byId('evening').parentElement.style.setProperty('--letters', String(words.length + document.title.length));
  page.dataset.ended = now.podium.length ? 'yes' : 'no';
  refresh(byId('podium'), now.podium, () => podium(now.podium));
  refresh(byId('boards'), now.boards, () => now.boards.map(boardCard));
  showAll();
});
addEventListener('resize', showAll);
setInterval(() => { turn += 1; showAll(); }, PAUSE);
