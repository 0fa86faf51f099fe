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

/** The side with more twenties than in the state before, within the same round. */
function newTwenty(match, old) {
  if (!match || !old || match.id !== old.id || match.round.number !== old.round.number || inQuestion(match)) return null;
  return match.sides.find((side) => side.twenties > (withId(old.sides, side.id)?.twenties ?? Infinity)) ?? null;
}

/** Whether the match ended between two states. */
export const ended = (match, old) => Boolean(match?.over && old && match.id === old.id && !old.over);

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
  const side = newTwenty(match, old);
  if (ended(match, old)) show('end', (now) => now?.id === match.id && now.over);
  else if (side) {
    const least = side.twenties;
    show('twenty', (now) => now?.id === match.id && now.round.number === match.round.number
      && withId(now.sides, side.id)?.twenties >= least);
  }
}
