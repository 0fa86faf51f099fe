// Celebrates a twenty and a match's end with a card over the board, which disappears by itself, or at once if its occasion
// is undone. A twenty in question is not celebrated.

import { discIcon } from '../shared/board.js';
import { byId, el } from '../shared/dom.js';
import { play } from './sounds.js';
import { say } from '../shared/words.js';

export const LASTS = { twenty: 3000, end: 10000 }; // milliseconds

let before = null;
let shown = null; // the card's occasion, to compare with each state
let timer = 0;

const inQuestion = (match) => match.questions.some((one) => one.kind === 'twenty' && one.round === match.round.number);

/** The side with more twenties than in the state before, within the same round. */
function newTwenty(match, old) {
  if (!match || !old || match.id !== old.id || match.round.number !== old.round.number || inQuestion(match)) return null;
  return match.sides.find((side) => side.twenties > (old.sides.find((one) => one.id === side.id)?.twenties ?? Infinity)) ?? null;
}

/** Whether the match ended between two states. */
export const ended = (match, old) => Boolean(match?.over && old && match.id === old.id && !old.over);

function hide() {
  clearTimeout(timer);
  byId('moment')?.remove();
  shown = null;
}

function show(kind, side, words, holds) {
  hide();
  shown = { holds };
  // Hidden from screen readers, which get the same words from the call.
  document.body.append(el('div', { id: 'moment', class: kind, 'aria-hidden': 'true' },
    el('div', side && discIcon(side.id), el('p', { class: words.length > 30 ? 'long' : '' }, words))));
  timer = setTimeout(hide, LASTS[kind]);
  play(kind);
}

/** Handle each new state of the match. */
export function moments(match) {
  const old = before;
  before = match;
  if (shown && !shown.holds(match)) hide();
  const side = newTwenty(match, old);
  if (ended(match, old)) {
    show('end', match.sides.find((one) => one.id === match.winner), match.next_step, (now) => now?.id === match.id && now.over);
  } else if (side) {
    const least = side.twenties;
    show('twenty', side, say('Twenty for {name}!', side), (now) => now?.id === match.id && now.round.number === match.round.number
      && now.sides.find((one) => one.id === side.id)?.twenties >= least);
  }
}
