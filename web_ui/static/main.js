// The page: each new state goes to the parts that show it.

import { byId, embedded, text } from './dom.js';
import { follow } from './live.js';
import { showBoard } from './board.js';
import { showScore } from './score.js';
import { openDisc, scorerReady, showScorer } from './scorer.js';

const page = document.documentElement;
let state = embedded('state');
let heardAt = null;

function show() {
  showScore(state);
  showBoard(byId('board'), state.match, page.dataset.scorer === 'yes' ? openDisc : null);
  showScorer(state);
  page.dataset.state = state.id;
}

function onState(newest) {
  state = newest;
  heardAt = new Date();
  show();
}

function onLive(live) {
  page.dataset.live = live ? 'yes' : 'no';
  const banner = byId('banner');
  banner.hidden = live;
  if (!live) {
    banner.textContent = heardAt
      ? text('not_live', { time: heardAt.toLocaleTimeString() })
      : text('not_live_never');
  }
}

byId('banner').textContent = text('connecting');
show();
scorerReady(show);
follow(Number(page.dataset.silence), onState, onLive);
