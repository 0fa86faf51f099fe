// The table's screen: readable from five metres, touched by nobody.

import { showBoard } from '../shared/board.js';
import { call } from './caller.js';
import { showTimers } from '../shared/clock.js';
import { showDay } from './day.js';
import { keepEntryCode } from '../shared/entry_code.js';
import { byId, el, options, page, put, refresh, settings, withId } from '../shared/dom.js';
import { trails } from '../shared/film.js';
import { live } from '../shared/live.js';
import { LASTS, moments } from './moments.js';
import { showAsked } from './asked.js';
import { replays } from './replay.js';
import { showScore } from './score.js';
import { colour, hammerIcon, medal } from '../shared/sides.js';
import { wantSounds } from './sounds.js';
import { keepTheme } from '../shared/theme.js';
import { metresASecond, say } from '../shared/words.js';

/** The club's next match in place of one that is over. */
function showNext({ start }, { colours }, table) {
  refresh('score', () => el('p', say('Next on {table}', { table: table.name })));
  start.sides.forEach((side, i) => {
    const id = 'AB'[i];
    colour([{ id, swatch: withId(colours, side.colour)?.swatch }]);
    refresh(`side-${id}`, () => [medal(id), el('h2', side.name), start.starter !== id && hammerIcon()]);
  });
}

let shownDay;

keepTheme(settings);
if ((options.get('sounds') ?? settings.sounds) === 'yes') wantSounds();

const REPLAY = { twenty: say('Twenty'), foul: say('Foul'), takeout: say('Takeout') };

/** The caption over the board during a replay; empty otherwise. */
function caption(film) {
  const line = byId('replay');
  line.hidden = !film;
  if (!film) return;
  byId('board').querySelector('.trails').replaceChildren(); // the replay moves the discs along these paths
  const speed = film.tracks.find((track) => track.began === 'flicked')?.speed;
  put(line, el('b', say('Replay')), el('span', REPLAY[film.notable]), speed && el('span', metresASecond(speed)));
}

const leaveTrails = trails();

const play = settings.replays === 'yes' ? replays({
  wanted: (film) => film.notable !== null,
  after: () => (page.dataset.moment ? LASTS.twenty : 0),
  onChange: caption,
}) : null;

function show(state) {
  const { match, club } = state;
  const between = !match || match.over;
  moments(match, () => show(state));
  showScore(state);
  if (between && club?.next && page.dataset.moment !== 'end') showNext(club.next, state.choices, state.table);
  showTimers(match);
  showBoard(byId('board'), match);
  leaveTrails(match?.film);
  showAsked(match);
  page.toggleAttribute('data-low', between || match.sides.length > 2 || Boolean(page.dataset.asked));
  call(state);
  if (play) play(state);
  const key = match && `${match.id} ${match.over}`;
  if (key !== shownDay) showDay(match);
  shownDay = key;
}

live(show);

const code = document.querySelector('#let-in img');
if (code) keepEntryCode(code, (wanted) => { code.parentElement.hidden = !wanted; });
