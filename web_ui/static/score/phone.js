// The phone's page: passes each new state to the parts that show it, the score first.

import { showBoard, tapped } from '../shared/board.js';
import { byId, el, embedded, page } from '../shared/dom.js';
import { live } from '../shared/live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';

let state = embedded('state');
let later = null; // the modules loaded after the score is shown

const past = state.match?.film?.shot ?? 0; // the newest film when the page was opened
let play = null; // plays the film of each new shot
let asked = false; // for its module

const byHand = ({ match, status }) => Boolean(match) && (match.manual || status.word === 'no_camera');

function touchDisc(id) {
  const disc = state.match?.discs.find((one) => one.id === id);
  if (disc) later.openDisc(byId('board'), disc, state.match, later.send);
}

function tapBoard(event) {
  const { match } = state;
  const drawn = byId('board').querySelector('svg');
  if (!drawn || !later || page.dataset.scorer !== 'yes' || !match || match.over) return;
  const at = tapped(drawn, event);
  if (at === 'hole') later.openHole(match, later.send);
  else if (at) later.openPlace(match, at, later.send);
}

function playFilm() {
  if (play) play(state);
  else if ((state.match?.film?.shot ?? 0) > past && !asked) {
    asked = true;
    import('./replay.js').then(({ replays }) => { play = replays(byId('board'), { past }); play(state); }, () => { asked = false; });
  }
}

async function showTimers(scorer) {
  const clock = await import('../shared/clock.js'); // most matches have none
  clock.showTimers(byId('timers'), state.match, scorer ? () => later.openClocks(state.match, later.send) : null);
}

function show(newest = state) {
  state = newest;
  const scorer = later && page.dataset.scorer === 'yes';
  showScore(state);
  if (state.match?.timers.length || byId('timers').firstChild) showTimers(scorer);
  showBoard(byId('board'), state.match, { onDisc: scorer ? touchDisc : null });
  showQuestions(state, scorer ? () => later.openInbox(state.match) : null);
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
const correct = (name) => parts.onDemand(() => import('./correct.js'), name);
let styled; // the pads' style sheet, fetched once
const style = (href) => new Promise((onload, onerror) => { document.head.append(el('link', { rel: 'stylesheet', href, onload, onerror })); });
const showPads = parts.onDemand(async () => {
  styled ??= style(document.querySelector('main').dataset.pads);
  return (await Promise.all([import('./pads.js'), styled]))[0];
}, 'showPads');
const openClocks = parts.onDemand(() => import('../shared/clocks.js'), 'openClocks');
later = { ...parts, showPads, openClocks, openDisc: correct('openDisc'), openHole: correct('openHole'), openPlace: correct('openPlace') };
show();
later.scorerReady(show);
byId('board').addEventListener('click', tapBoard);
later.stayAwake();
