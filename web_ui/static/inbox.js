// The questions themselves, on the scorer's sheet: each with its picture, its figure and what every answer would change.

import { clipOf } from './clip.js';
import { el, refresh } from './dom.js';
import { attempt, closeSheet, errorPlace, openSheet, sheetIsNew } from './forms.js';
import { distance } from './score.js';
import { carryOut } from './scorer.js';
import { say, sayMany } from './words.js';

const place = el('div', { class: 'questions', 'aria-live': 'polite' });

function answers(one) {
  const error = errorPlace();
  const button = (answer) => el('button', {
    type: 'button', class: answer.id === 'unknown' ? 'unknown' : 'main',
    onclick: () => attempt(error, () => carryOut(['answer', { question: one.id, answer: answer.id }])),
  }, answer.text, answer.effect && el('small', {}, answer.effect));
  return el('div', { class: 'answers' }, one.answers.map(button), error);
}

const question = (one) => el('article', {},
  one.picture && el('a', { href: `/picture/${encodeURIComponent(one.picture)}`, target: '_blank' },
    el('img', { src: `/picture/small-${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') })),
  el('div', {},
    el('p', { class: 'asks' }, one.text),
    distance(one) && el('p', { class: 'hint' }, distance(one))),
  one.clip && clipOf(one.clip),
  answers(one));

function show(questions) {
  const pressing = questions.filter((one) => one.pressing);
  const others = questions.filter((one) => !one.pressing);
  return [
    pressing.map(question),
    others.length > 0 && el('details', { open: !pressing.length },
      el('summary', {}, sayMany('{n} question that was left open', '{n} questions that were left open', others.length)),
      others.map(question)),
  ];
}

/** Open the questions of a match. */
export function openInbox(match) {
  openSheet(say('Questions'), place);
  refresh(place, match.questions, () => show(match.questions));
}

/** While the sheet shows the questions, keep it up to date; close it when none is left. */
export function showInbox(match) {
  if (!place.isConnected || !place.closest('dialog').open) return;
  const questions = match?.questions ?? [];
  if (!questions.length) closeSheet();
  else if (refresh(place, questions, () => show(questions))) sheetIsNew();
}
