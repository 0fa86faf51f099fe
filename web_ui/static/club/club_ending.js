// The end of an evening: the bracket of its play-offs, and the first three.

import { boardName, fitted, headedList, sideLines, twentiesOf } from './club.js';
import { el, wide } from '../shared/dom.js';
import { joined, known, say, sayMany } from '../shared/words.js';

/** The first three places, shared ones included: matches won and twenties of the stage that ranks them. */
export const podium = (all) => headedList(say('The first three'), all, (placed) => el('ol.podium', placed.map(({ place, name, won, matches, twenties, twenties_missing: missing }) => el(`li.place-${place}`,
    el('span.rank', { 'aria-hidden': 'true' }, place), el('span.for-ears', say('Place {place}', { place })),
    el('b', fitted(name)),
    el('small', joined([sayMany('{n} match', '{n} matches', matches), say('{n} won', { n: won }), twenties !== null && twentiesOf(known(twenties, !missing))]))))));

/** The points of a match or a slot: its result, or the present score at its board; null before it begins. */
export const pointsOf = ({ points, names }, { boards }) => points ?? boards.find(({ now }) => now?.started && `${now.names}` === `${names}`)?.now.score;

function slot(each, state) {
  const { name, won, board } = each;
  const where = won === null && board !== null && state && boardName(state, board);
  return el('li.slot', el('small', fitted(joined([name, where]))), sideLines(each, state && pointsOf(each, state), fitted));
}

/** The bracket, one column a round. Boards and running scores are shown if the state has them. */
export const bracket = (all, state = null) => headedList(say('Play-offs'), all, (rounds) => wide(el('div.bracket', rounds.map((slots) => el('ol', slots.map((each) => slot(each, state)))))));
