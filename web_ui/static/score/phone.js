// The phone's page: passes each new state to the parts that show it, the score first.

import { showBoard } from '../shared/board.js';
import { byId, el, firstState, page, refresh, settings } from '../shared/dom.js';
import { live } from '../shared/live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';
import { say } from '../shared/words.js';

let state = firstState();
let later = null; // the modules loaded after the score is shown

const past = state.match?.film?.shot ?? 0; // the newest film when the page was opened
let play = null; // plays the film of each new shot
let asked = false; // for its module

const byHand = ({ match, status }) => Boolean(match) && (match.manual || status.word === 'no_camera');

function playFilm() {
  if (play) play(state);
  else if ((state.match?.film?.shot ?? 0) > past && !asked) {
    asked = true;
    import('./replay.js').then(({ replays }) => { play = replays(); play(state); }, () => { asked = false; });
  }
}

/** The clocks of the match; a scorer opens their sheet there, also where none is set. */
async function showTimers(scorer) {
  const { match } = state;
  const open = scorer && (() => later.openClocks(state.match));
  if (match?.timers.length) (await import('../shared/clock.js')).showTimers(match, open); // most matches have none
  else refresh('timers', () => open && match && !match.over && el('button.quiet', { onclick: open, 'aria-label': say('Clock') }, '◷'));
}

function show(newest = state) {
  state = newest;
  const scorer = later && page.dataset.scorer === 'yes';
  showScore(state);
  showTimers(scorer);
  showBoard(byId('board'), state.match, scorer && later.touchDisc);
  showQuestions(state, scorer && (() => later.openInbox(state.match)));
  later?.setShownState(state.id);
  later?.showInbox(state.match);
  later?.showTools(state);
  if (later && (page.dataset.pads || byHand(state))) later.showPads(state);
  later?.call(state);
  playFilm();
}

live(show);
const parts = Object.assign({}, ...await Promise.all(
  [import('../shared/forms.js'), import('../shared/scorer.js'), import('./inbox.js'), import('./tools.js'), import('./caller.js'), import('../shared/awake.js')]));
let styled; // the pads' style sheet, fetched once
const style = (href) => new Promise((onload, onerror) => { document.head.append(el('link', { rel: 'stylesheet', href, onload, onerror })); });
const showPads = parts.onDemand(async () => {
  styled ??= style(settings.pads);
  return (await Promise.all([import('./pads.js'), styled]))[0];
}, 'showPads');
later = { ...parts, showPads };
show();
later.scorerReady(show);
later.stayAwake();
