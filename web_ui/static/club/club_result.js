// The fields for a result: the points of both sides, or of one if the format fixes the sum, and the twenties if they were
// counted.

import { el, remembered } from '../shared/dom.js';
import { field, valuesOf } from '../shared/forms.js';
import { say } from '../shared/words.js';

const MOST = 1000; // points or twenties of one side

/** Fields for a match. `values()` are its points, and its twenties if they were counted; it throws an error with a message for incomplete input. */
export function resultFields(match, compact = false) {
  const of = (member, words, short) => match.names.map((name, k) => {
    const input = el('input', { name: `${member}.${k}`, type: 'number', inputmode: 'numeric', min: 0, max: MOST, step: 1, value: match[member]?.[k] ?? '', placeholder: compact && short, 'aria-label': `${words}, ${name}` });
    return compact ? input : field(`${words}: ${name}`, input);
  });

  /** @returns {{ points: any, twenties?: any }} */
  function values() {
    const [given, counted] = Object.values(valuesOf(element)).map(Object.values);
    const known = given.findIndex((each) => each !== null);
    if (known < 0 || (given.includes(null) && match.total === null)) throw new Error(say('Enter the points of both sides.'));
    const filled = given.map((each) => each ?? Math.max(0, match.total - given[known]));
    if (counted.filter((each) => each === null).length === 1) throw new Error(say('Enter the twenties of both sides, or of none.'));
    return { points: filled, ...(!counted.includes(null) && { twenties: counted }) };
  }

  const element = el('div.result', { class: compact && 'compact' },
    of('points', say('Points'), say('Points')), of('twenties', say('Twenties'), '20'),
    !compact && el('p.hint', say('Leave the twenties empty where they were not counted.')));
  return { element, values };
}

const key = (board) => `club-board-${board}`;

/** Note that this phone has scanned a board's code, so that the player's page links to the board's. */
export const keepCode = (board, code) => remembered.set(key(board), code);

/** A board's code, if this phone has scanned it. */
export const codeOf = (board) => (board === null ? null : remembered.get(key(board)));
