// The hall's screen: all boards, and beside them in turn the matches, the standings and the race for twenties.

import { boardCard, boardName, progress, resultOf, standingsTable, twentiesMissing, versus } from './club.js';
import { byId, el, page, refresh } from './dom.js';
import { live } from './live.js';
import { say } from './words.js';

const PAUSE = 10_000; // milliseconds that a slide stays: time to find one's name among twelve
const LINES = 12; // of a slide: what is read from ten metres on a screen of a metre

let state = null;
let turn = 0;

const parts = (list) => Array.from({ length: Math.ceil(list.length / LINES) }, (_, k) => list.slice(k * LINES, (k + 1) * LINES));

const matchLine = (match) => el('li', {}, el('span', {}, versus(match.names)), el('b', {}, match.word === 'waiting' ? boardName(state, match.board) : resultOf(match)));

const twenties = (rows) => el('ol', {}, rows.map((row) => el('li', {}, el('span', {}, row.name), el('b', {}, row.twenties))));

/** Everything that takes its turn: a title and what is under it. */
function slides() {
  const race = state.standings.filter((row) => row.twenties > 0).sort((a, b) => b.twenties - a.twenties);
  return [
    ...parts(state.matches).map((some) => [say('Matches'), () => el('ul', {}, some.map(matchLine))]),
    ...parts(state.standings).map((some) => [say('Standings'), () => [standingsTable(some), twentiesMissing(some)]]),
    ...parts(race).slice(0, 1).map((some) => [say('Twenties'), () => twenties(some)]),
    ...(state.byes.length ? [[say('Bye'), () => el('ul', {}, state.byes.map((name) => el('li', {}, name)))]] : []),
  ];
}

function showSlide() {
  const all = slides();
  page.dataset.slides = all.length;
  if (!all.length) { byId('slide').replaceChildren(); return; }
  const [title, build] = all[turn % all.length];
  refresh(byId('slide'), [turn % all.length, state], () => [el('h2', {}, title), build()]);
}

live((now) => {
  state = now;
  byId('evening').textContent = [now.title, progress(now)].filter(Boolean).join(' · ');
  page.dataset.boards = now.boards.length > 12 ? 'many' : 'few';
  refresh(byId('boards'), now.boards, () => now.boards.map(boardCard));
  showSlide();
});
setInterval(() => { turn += 1; showSlide(); }, PAUSE);
