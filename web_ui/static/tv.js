// The table's screen: readable from five metres, touched by nobody.

import { showBoard } from './board.js';
import { call } from './caller.js';
import { showTimers } from './clock.js';
import { ask } from './commands.js';
import { byId, el, refresh } from './dom.js';
import { live } from './live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';
import { say } from './words.js';

const MOST_RESULTS = 8;
const MOST_ROUNDS = 12;

function result({ sides, winner }) {
  const name = (side) => el('span', { class: winner === side.id ? 'best' : '' }, side.name);
  const [first, ...others] = sides;
  return el('li', {}, name(first), el('b', {}, sides.map((side) => side.score).join(' – ')), others.map(name));
}

/** Between matches: how to start, and the results of the day. */
async function showDay(match) {
  const day = byId('day');
  if (match && !match.over) return;
  const { matches } = await ask('/api/v1/matches').catch(() => ({ matches: [] }));
  const ended = matches.filter((one) => one.over);
  const today = ended.filter((one) => one.day === ended[0].day).slice(0, MOST_RESULTS);
  refresh(day, [today], () => [
    el('p', { class: 'how' }, say('Scan the code, touch “Keep score”, start a match.')),
    today.length && el('h2', {}, say('Results of the day')),
    today.length && el('ol', {}, today.map(result)),
  ].filter(Boolean));
}

let mostRounds = MOST_ROUNDS;

/** The score with as many of the newest rounds as there is room for. */
function showScoreWhole(state) {
  const lines = byId('rounds');
  showScore(state, mostRounds);
  while (lines.scrollWidth > lines.clientWidth && mostRounds > 1) {
    mostRounds -= 1;
    showScore(state, mostRounds);
  }
}

addEventListener('resize', () => { mostRounds = MOST_ROUNDS; });

let shownDay;

live((state) => {
  const { match } = state;
  showScoreWhole(state);
  showTimers(byId('timers'), match);
  showBoard(byId('board'), match, { moving: true });
  showQuestions(state);
  call(state);
  const key = match && `${match.id} ${match.over}`;
  if (key !== shownDay) { mostRounds = MOST_ROUNDS; showDay(match); }
  shownDay = key;
});
