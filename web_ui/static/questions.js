// What the table asks, with its picture and its figure.

import { byId, el, refresh } from './dom.js';
import { distance } from './score.js';
import { say } from './words.js';

const question = (one, answers) => el('article', {},
  one.picture && el('img', { src: `/picture/${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') }),
  el('div', {},
    el('p', { class: 'asks' }, one.text),
    distance(one) && el('p', { class: 'hint' }, distance(one)),
    !answers && el('p', { class: 'hint' }, say('The scorer answers on a phone.'))),
  answers?.(one));

/** Show the open questions; `answers(question)` makes what whoever may answer touches. */
export function showQuestions({ match }, answers = null) {
  refresh(byId('questions'), [match?.questions, Boolean(answers)], () => (match?.questions ?? []).map((one) => question(one, answers)));
}
