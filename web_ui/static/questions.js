// What the table asks, with its picture and its figure.

import { byId, el, refresh } from './dom.js';
import { distance } from './score.js';
import { say, sayMany } from './words.js';

const question = (one, answers) => el('article', {},
  one.picture && el('img', { src: `/picture/${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') }),
  el('div', {},
    el('p', { class: 'asks' }, one.text),
    distance(one) && el('p', { class: 'hint' }, distance(one)),
    !answers && el('p', { class: 'hint' }, say('The scorer answers on a phone.'))),
  answers?.(one));

/** Show the open questions, at most so many; `answers(question)` makes what whoever may answer touches. */
export function showQuestions({ match }, answers = null, most = Infinity) {
  const open = match?.questions ?? [];
  const more = open.length - most;
  refresh(byId('questions'), [open, Boolean(answers)], () => [
    ...open.slice(0, most).map((one) => question(one, answers)),
    more > 0 && el('p', { class: 'hint' }, sayMany('{n} more question', '{n} more questions', more)),
  ]);
}
