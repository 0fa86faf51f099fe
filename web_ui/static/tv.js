// The table's screen: readable from five metres, touched by nobody.

import { showBoard } from './board.js';
import { call } from './caller.js';
import { byId } from './dom.js';
import { live } from './live.js';
import { showQuestions } from './questions.js';
import { showScore } from './score.js';

live((state) => {
  showScore(state);
  showBoard(byId('board'), state.match, { moving: true });
  showQuestions(state);
  call(state);
});
