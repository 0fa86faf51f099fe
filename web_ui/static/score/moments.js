// A twenty and a match's end have their moment: a sound, and a mark on the page by which the board lights up, until it is
// over or its occasion is undone. A twenty in question is not celebrated.

import { page, withId } from '../shared/dom.js';
import { play } from './sounds.js';

export const LASTS = { twenty: 2000, end: 10000 }; // milliseconds

let before = null;
let holds = null; // whether a state still has the moment's occasion
let timer = 0;
let after = () => {};

const inQuestion = (match) => match.questions.some((one) => one.kind === 'twenty' && one.round === match.round.number);

function hide() {
  clearTimeout(timer);
  delete page.dataset.moment;
  holds = null;
}

function show(kind, occasion) {
  hide();
  holds = occasion;
  page.dataset.moment = kind;
  timer = setTimeout(() => { hide(); after(); }, LASTS[kind]);
  play(kind);
}

/** Handle each new state of the match; `onEnd()` is called when a moment is over. */
export function moments(match, onEnd) {
  after = onEnd;
  const old = before;
  before = match;
  if (holds && !holds(match)) hide();
  if (!match || match.id !== old?.id) return;
  const { id, round, sides } = match;
  if (match.over && !old.over) { show('end', (now) => now?.id === id && now.over); return; }
  if (round.number !== old.round.number || inQuestion(match)) return;
  const side = sides.find((one) => one.twenties > (withId(old.sides, one.id)?.twenties ?? Infinity));
  if (side) show('twenty', (now) => now?.id === id && now.round.number === round.number && withId(now.sides, side.id)?.twenties >= side.twenties);
}
