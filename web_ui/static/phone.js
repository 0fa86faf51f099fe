// The phone's page: each new state goes to the parts that show it.

import { stayAwake } from './awake.js';
import { showBoard } from './board.js';
import { call } from './caller.js';
import { openDisc } from './correct.js';
import { byId, embedded, page } from './dom.js';
import { live } from './live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';
import { looksAt, scorerReady, send } from './scorer.js';
import { answers, showTools } from './tools.js';

let state = embedded('state');

function touchDisc(id) {
  const disc = state.match?.discs.find((one) => one.id === id);
  if (disc) openDisc(byId('board'), disc, state.match, send);
}

function show(newest = state) {
  state = newest;
  const scorer = page.dataset.scorer === 'yes';
  showScore(state);
  looksAt(state.id);
  showBoard(byId('board'), state.match, { onDisc: scorer ? touchDisc : null });
  showQuestions(state, scorer ? answers : null);
  showTools(state);
  call(state);
}

live(show);
scorerReady(show);
stayAwake();
