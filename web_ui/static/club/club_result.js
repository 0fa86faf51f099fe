// The fields for a result: the points of both sides, or of one if the format fixes the sum, and the twenties if they were
// counted.

import { el, remembered } from '../shared/dom.js';
import { say } from '../shared/words.js';

const MOST = 1000; // points or twenties of one side

const number = (label, placeholder, value) => el('input', { type: 'number', inputmode: 'numeric', min: 0, max: MOST, step: 1, value, placeholder, 'aria-label': label });

const read = (input) => (input.value === '' ? null : Number(input.value));

/** Fields for a match. `values()` is [points, twenties or null]; it throws an error with a message for incomplete input. */
export function resultFields(match, compact = false) {
  const of = (words, short, known) => match.names.map((name, k) => number(`${words}, ${name}`, compact && short, known?.[k] ?? ''));
  const points = of(say('Points'), say('Points'), match.points);
  const twenties = of(say('Twenties'), '20', match.twenties);
  const line = (words, inputs) => match.names.map((name, k) => el('label.field', el('span', `${words}: ${name}`), inputs[k]));

  function values() {
    const given = points.map(read);
    const known = given.findIndex((each) => each !== null);
    if (known < 0 || (given.includes(null) && match.total === null)) throw new Error(say('Enter the points of both sides.'));
    const filled = given.map((each) => each ?? Math.max(0, match.total - given[known]));
    const counted = twenties.map(read);
    if (counted.filter((each) => each === null).length === 1) throw new Error(say('Enter the twenties of both sides, or of none.'));
    return [filled, counted.includes(null) ? null : counted];
  }

  const element = el('div.result', { class: compact && 'compact' },
    compact ? [points, twenties]
      : [line(say('Points'), points), line(say('Twenties'), twenties), el('p.hint', say('Leave the twenties empty where they were not counted.'))]);
  return { element, values };
}

const key = (board) => `club-board-${board}`;

/** Note that this phone has scanned a board's code, so that the player's page links to the board's. */
export const keepCode = (board, code) => remembered.set(key(board), code);

/** A board's code, if this phone has scanned it. */
export const codeOf = (board) => (board === null ? null : remembered.get(key(board)));
