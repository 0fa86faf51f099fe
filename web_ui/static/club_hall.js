// The hall's screen: the boards, and beside them in turn the matches, the standings and the race for twenties. What does
// not fit at a size that is read from ten metres takes turns.

import { boardCard, boardName, progress, resultOf, standingsTable, twentiesMissing } from './club.js';
import { byId, el, page, refresh } from './dom.js';
import { live } from './live.js';
import { say } from './words.js';

const PAUSE = 10_000; // milliseconds that a slide stays: time to find one's name among twelve
const MANY = 8; // boards: more stand in three columns
const LINES = 12; // of a slide: what is read from ten metres on a screen of a metre

let state = null;
let turn = 0;

const parts = (list) => Array.from({ length: Math.ceil(list.length / LINES) }, (_, k) => list.slice(k * LINES, (k + 1) * LINES));

const matchLine = (match) => el('li', {}, el('div', { class: 'sides' }, el('span', {}, match.names[0]), '–', el('span', {}, match.names[1])), el('b', {}, match.word === 'waiting' ? boardName(state, match.board) : resultOf(match)));

const twenties = (rows) => el('ol', {}, rows.map((row) => el('li', {}, el('span', {}, row.name), el('b', {}, row.twenties))));

/** Everything that takes its turn: a title and what is under it. */
function slides() {
  const race = state.standings.filter((row) => row.twenties > 0).sort((a, b) => b.twenties - a.twenties);
  return [
    ...parts(state.matches).map((some) => [say('Matches'), () => el('ul', { class: 'pairs' }, some.map(matchLine))]),
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

/** The boards in as many parts as fit on the screen one after the other: for each card the number of its part. */
function partsOf(cards, room) {
  let top = 0;
  let part = 0;
  return cards.map((card) => {
    if (card.offsetTop + card.offsetHeight - top > room && card.offsetTop > top) { part += 1; top = card.offsetTop; }
    return part;
  });
}

function showBoards() {
  const place = byId('boards');
  const cards = [...place.children];
  cards.forEach((card) => { card.hidden = false; });
  const numbers = partsOf(cards, place.clientHeight + place.offsetTop);
  const all = (numbers.at(-1) ?? 0) + 1;
  cards.forEach((card, k) => { card.hidden = numbers[k] !== turn % all; });
  byId('page').textContent = all > 1 ? `${turn % all + 1} / ${all}` : '';
}

function showAll() {
  showBoards();
  showSlide();
}

live((now) => {
  state = now;
  byId('evening').textContent = [progress(now), now.title].filter(Boolean).join(' · ');
  page.dataset.boards = now.boards.length > MANY ? 'many' : 'few';
  refresh(byId('boards'), now.boards, () => now.boards.map(boardCard));
  showAll();
});
addEventListener('resize', showAll);
setInterval(() => { turn += 1; showAll(); }, PAUSE);
