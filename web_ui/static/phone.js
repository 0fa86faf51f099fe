// The phone's page: each new state goes to the parts that show it. The score is there before all else.

import { showBoard } from './board.js';
import { byId, embedded, page } from './dom.js';
import { live } from './live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';

let state = embedded('state');
let later = null; // what can wait until the score is shown

function touchDisc(id) {
  const disc = state.match?.discs.find((one) => one.id === id);
  if (disc) later.openDisc(byId('board'), disc, state.match, later.send);
}

function show(newest = state) {
  state = newest;
  const scorer = later && page.dataset.scorer === 'yes';
  showScore(state);
  showBoard(byId('board'), state.match, { onDisc: scorer ? touchDisc : null });
  showQuestions(state, scorer ? () => later.openInbox(state.match) : null);
  later?.looksAt(state.id);
  later?.showInbox(state.match);
  later?.showTools(state);
  later?.call(state);
}

live(show);
later = Object.assign({}, ...await Promise.all(
  [import('./correct.js'), import('./scorer.js'), import('./inbox.js'), import('./tools.js'), import('./caller.js'), import('./awake.js')]));
show();
later.scorerReady(show);
later.stayAwake();
