// The phone's page: each new state goes to the parts that show it.

import { stayAwake } from './awake.js';
import { showBoard } from './board.js';
import { call } from './caller.js';
import { openDisc } from './correct.js';
import { byId, embedded, page } from './dom.js';
import { live } from './live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';
import { answers, scorerReady, send, showScorer } from './scorer.js';

let state = embedded('state');

function show(newest = state) {
  state = newest;
  const scorer = page.dataset.scorer === 'yes';
  showScore(state);
  showBoard(byId('board'), state.match, { onDisc: scorer ? (id) => openDisc(state.match, id, send) : null });
  showQuestions(state, scorer ? answers : null);
  showScorer(state);
  call(state);
}

live(show);
scorerReady(show);
stayAwake();
