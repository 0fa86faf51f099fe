// The table's screen: readable from five metres, touched by nobody.

import { showBoard } from './board.js';
import { call } from './caller.js';
import { showDay } from './day.js';
import { byId } from './dom.js';
import { live } from './live.js';
import { moments } from './moments.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';
import { wantSounds } from './sounds.js';
import { keepTheme } from './theme.js';

const MOST_ROUNDS = 12;

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

const { dataset: settings } = document.querySelector('main');
keepTheme(settings);
if ((new URLSearchParams(location.search).get('sounds') ?? settings.sounds) === 'yes') wantSounds();

live((state) => {
  const { match } = state;
  showScoreWhole(state);
  showBoard(byId('board'), match, { moving: true });
  showQuestions(state);
  call(state);
  moments(match);
  const key = match && `${match.id} ${match.over}`;
  if (key !== shownDay) { mostRounds = MOST_ROUNDS; showDay(match); }
  shownDay = key;
});
