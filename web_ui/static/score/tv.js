// The table's screen: readable from five metres, touched by nobody.

import { showBoard } from '../shared/board.js';
import { call } from './caller.js';
import { showTimers } from '../shared/clock.js';
import { showDay } from './day.js';
import { keepEntryCode } from '../shared/entry_code.js';
import { byId, el, embedded } from '../shared/dom.js';
import { trails } from '../shared/film.js';
import { live } from '../shared/live.js';
import { LASTS, moments } from './moments.js';
import { showQuestions } from './questions.js';
import { replays } from './replay.js';
import { showScore } from './score.js';
import { wantSounds } from './sounds.js';
import { keepTheme } from '../shared/theme.js';
import { metresASecond, say } from '../shared/words.js';

const MOST_ROUNDS = 12;

let mostRounds = MOST_ROUNDS;

/** The score with as many of the newest rounds as fit. */
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
keepTheme({ theme: settings.theme, darkFrom: settings.darkFrom, darkUntil: settings.darkUntil });
if ((new URLSearchParams(location.search).get('sounds') ?? settings.sounds) === 'yes') wantSounds();

const REPLAY = { twenty: say('Twenty'), foul: say('Foul'), takeout: say('Takeout') };

/** The caption over the board during a replay; empty otherwise. */
function caption(film) {
  const line = byId('replay');
  line.hidden = !film;
  if (!film) return;
  byId('board').querySelector('.trails').replaceChildren(); // the replay moves the discs along these paths
  const speed = film.tracks.find((track) => track.began === 'flicked')?.speed;
  line.replaceChildren(el('b', say('Replay')), el('span', REPLAY[film.notable]), speed ? el('span', metresASecond(speed)) : '');
}

const leaveTrails = trails(byId('board'), embedded('state').match?.film?.shot);

const play = settings.replays === 'yes' ? replays(byId('board'), {
  past: embedded('state').match?.film?.shot,
  wanted: (film) => film.notable !== null,
  after: () => (byId('moment') ? LASTS.twenty : 0),
  onChange: caption,
}) : null;

live((state) => {
  const { match } = state;
  showScoreWhole(state);
  showTimers(byId('timers'), match);
  showBoard(byId('board'), match);
  leaveTrails(match?.film);
  showQuestions(state);
  call(state);
  moments(match);
  if (play) play(state);
  const key = match && `${match.id} ${match.over}`;
  if (key !== shownDay) { mostRounds = MOST_ROUNDS; showDay(match); }
  shownDay = key;
});

const code = document.querySelector('#let-in img');
if (code) keepEntryCode(code, (wanted) => { code.parentElement.hidden = !wanted; });
