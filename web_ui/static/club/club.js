// Shared by the club's pages: shows matches, boards and standings.

import { each, el, headings, wide, withId } from '../shared/dom.js';
import { joined, known, say, sayMany, starred } from '../shared/words.js';

const WORDS = {
  waiting: say('not begun'),
  going_on: say('going on'),
  reopened: say('going on again'),
  contradicted: say('two different results'),
  walkover: say('walkover'),
  over: say('over'),
};

export const isOpen = ({ word }) => ['waiting', 'going_on'].includes(word);
export const isOver = ({ word }) => ['over', 'walkover'].includes(word);
export const versus = (names) => names.join(' – ');
export const wordOf = (match) => WORDS[match.word];
export const figures = ([a, b]) => `${a} : ${b}`;

/** A match's result or present score. */
export const resultOf = (match) => (match.points && match.word === 'over' ? figures(match.points) : joined([match.points && figures(match.points), wordOf(match)], ', '));

/** A board's name; empty if it was removed. */
export const boardName = (state, id) => (id === null ? say('no board yet') : withId(state.boards, id)?.name ?? '');

/** A board's name as a heading: a number needs a word. */
export const headed = (name) => (name.length > 3 ? name : say('Board {name}', { name }));

/** The boards' names by id, null for no board yet; a number alone if no other board has it. */
export function platesOf(boards) {
  const short = boards.map(({ name }) => name.match(/(^| )(\d{1,3}|[A-Z])$/)?.[2] ?? name);
  const clear = new Set(short).size === boards.length;
  return new Map([[null, '–'], ...boards.map(({ id, name }, k) => [id, clear ? short[k] : name])]);
}

/** A board's problems, in words. */
export function troublesOf(board) {
  if (!board.works) return [say('This board can\'t be played on.')];
  return [board.online === false && say('The table is not connected.'), ...board.troubles].filter(Boolean);
}

/** The name of a round: its play-off name, else its number. */
export const roundName = ({ number, names }) => (names.length ? names.join(' · ') : say('Round {n} of the evening', { n: number }));

/** The progress of the evening. */
export function progress({ round, open, round_names: names, finished, closed }) {
  if (round === 0) return say('No round is paired yet.');
  if (closed) return say('The evening is over.');
  if (finished) return say('All matches are played.');
  const left = open === 0 ? say('all results are in') : sayMany('{n} match to play', '{n} matches to play', open);
  return [roundName({ number: round, names }), left].join(' · ');
}

const UNBROKEN = 21; // letters beyond which a word needs smaller type to fit on a line

/** A name for the hall's screen: in smaller type if it is long, on two lines at most. */
export function fitted(name) {
  const word = Math.max(...name.split(' ').map(({ length }) => length));
  const text = el('span.fitted', { class: word >= UNBROKEN && 'unbroken' }, name);
  text.style.setProperty('--letters', String(word < UNBROKEN ? name.length : Math.max(1.15 * word, name.length / 2)));
  return text;
}

export const twentiesOf = (n) => sayMany('{n} twenty', '{n} twenties', n);

/** A finished round: its totals, or who won it if nobody recorded them. */
export const roundResult = ({ totals, points: [a, b] }, names) => (!totals.includes(null) ? figures(totals) : a === b ? say('level') : `${names[a > b ? 0 : 1]}: ${say('won')}`);

const twentiesAt = ([a, b]) => (a === null || b === null ? '' : [' · ', twentiesOf(a + b)]);

/** Matches in lines: each with its sides, its result or other `words`, and what else `more` adds. */
export const matchList = (matches, words = resultOf, more = null) => el('ul.matches', matches.map((match) => el('li',
  el('span', match.name && el('small', match.name, ': '), versus(match.names)), el('b', words(match)), more?.(match))));

/** The sides of a match in lines: each with its points, if there are any, and the winner marked. */
export const sideLines = ({ names, won }, points, shown = (name) => el('span', name)) => names.map((name, k) => el('p.side', { class: won === k && 'won' },
  shown(name ?? '–'), points && el('b', points[k])));

/** A board with its match and score. */
export function boardCard(board) {
  const { now } = board;
  return el('article.board', { 'data-board': board.id }, el('h3', board.name),
    now ? [sideLines(now, now.started && now.score),
      el('p.hint', now.name && [now.name, ' · '], now.started ? [say('Round {n}', { n: now.round }), twentiesAt(now.twenties)] : say('not begun'))]
      : el('p.hint', say('free')),
    each('p.error', troublesOf(board)));
}

const played = ({ matches, byes }) => (byes ? [matches, ' + ', sayMany('{n} bye', '{n} byes', byes)] : matches);

/** Lines of the standings, with a star if twenties were not counted in some match. With the names of several `stages`, a
 *  heading above those that each stage ranks: their figures are of that stage. */
export const standingsTable = (rows, own = null, stages = []) => {
  const heads = [el('span.for-ears', say('Place')), say('Player'), say('Matches'), say('Points'), '20'];
  return el('table.standings', el('thead', headings(heads)), el('tbody', rows.map((row, k) => [
    stages.length > 1 && row.stage !== rows[k - 1]?.stage && el('tr', el('th', { scope: 'rowgroup', colspan: heads.length }, `${row.stage}. ${stages[row.stage - 1]}`)),
    el('tr', { class: joined([row.id === own && 'own', !row.here && 'gone'], ' ') },
      each('td', [row.place, fitted(row.name), played(row), row.points, known(row.twenties, !row.twenties_missing)]))])));
};

/** A hint if some sums lack twenties. */
export const twentiesMissing = (rows) => rows.some((row) => row.twenties !== null && row.twenties_missing) && el('p.hint', starred());

/** A heading, and what `build` makes of some rows below it; empty without rows. */
export const headedList = (title, rows, build) => rows.length > 0 && [el('h2', title), build(rows)];

/** The standings with their heading; empty before the first round. */
export const standings = (rows, own = null, stages = []) => headedList(say('Standings'), rows, () => [wide(standingsTable(rows, own, stages)), twentiesMissing(rows)]);
