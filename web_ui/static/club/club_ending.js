// The end of an evening: the bracket of its play-offs, and the first three.

import { boardName, fitted, partners, twentiesOf } from './club.js';
import { el } from '../shared/dom.js';
import { known, say, sayMany } from '../shared/words.js';

/** The first three places, shared ones included: matches won and twenties of the stage that ranks them. */
export const podium = (placed) => placed.length > 0 && [el('h2', say('The first three')),
  el('ol.podium', placed.map(({ place, name, won, matches, twenties, twenties_missing: missing }) => el('li', { class: `place-${place}` },
    el('span', { class: 'rank', 'aria-hidden': 'true' }, place), el('span.for-ears', say('Place {place}', { place })),
    el('b', partners(name)),
    el('small', [sayMany('{n} match', '{n} matches', matches), say('{n} won', { n: won }), twenties !== null && twentiesOf(known(twenties, !missing))].filter(Boolean).join(' · ')))))];

function slot({ name, names, points, won, board }, state) {
  const line = (side, k) => el('p', { class: won === k ? 'side won' : 'side' }, fitted(side ?? '–'), points && el('b', points[k]));
  const where = !points && won === null && board !== null && state && boardName(state, board);
  return el('li.slot', el('small', fitted(where || name)), names.map(line));
}

/** The bracket, one column a round; at most the last `most` rounds. Boards are named if the state has them. */
export const bracket = (rounds, state = null, most = Infinity) => rounds.length > 0 && [el('h2', say('Play-offs')),
  el('div', { class: 'wide', tabindex: 0 }, el('div.bracket', rounds.slice(-most).map((slots) => el('ol', slots.map((each) => slot(each, state))))))];
