// The questions on the scorer's phone, one at a time: its picture, its figure and the effect of every answer.

import { firstOf, gauge } from './asked.js';
import { el, refresh, remembered } from '../shared/dom.js';
import { button, closeSheet, emptySheet, openSheet, sheetIsNew } from '../shared/forms.js';
import { ANSWERED, asksOf, grouped, isAsked } from './questions.js';
import { carryOut } from '../shared/scorer.js';
import { joined, say, sayMany } from '../shared/words.js';

const place = el('div.question', { 'aria-live': 'polite' });
let open = []; // the ids of the questions on it
const mine = []; // those that were answered here
let old = false; // whether those that were left open are shown, although others wait
let single = false; // whether those with the same words are shown one by one

function answers(one, others) {
  const also = others.map(({ id }) => id);
  const answer = ({ id, text, effect }) => Object.assign(button([also.length ? say('All: {answer}', { answer: text }) : text, !also.length && effect && el('small', effect)], () => {
    mine.push(one.id, ...also);
    if (one.pressing) remembered.set(ANSWERED, 'yes');
    return carryOut('answer', { question: one.id, answer: id, ...(also.length && { also }) });
  }, id === 'unknown' ? 'quiet' : ''), { value: one.id });
  return el('div.answers', one.answers.map(answer));
}

/** Where in the match the questions arose. */
function shotsOf(all) {
  const [{ round, shot: number }] = all;
  const shots = joined(all.map(({ shot }) => shot), ', ');
  if (!shots) return null;
  return el('p.hint', all.length > 1 ? say('Round {round}, shots {shots}', { round, shots }) : say('Round {round}, shot {number}', { round, number }));
}

/** A clip; its player is loaded on demand. */
function clip(name) {
  const node = el('div');
  import('../review/clip.js').then(({ clipOf }) => node.replaceWith(clipOf(name)), () => {});
  return node;
}

function show(questions) {
  open = questions.map(({ id }) => id);
  const asked = questions.filter(isAsked);
  const left = questions.filter((one) => !isAsked(one));
  const shown = old || !asked.length ? left : asked;
  const groups = single ? shown.map((one) => [one]) : grouped(shown);
  const [[one, ...others]] = groups;
  const turn = (label, action) => button(label, () => { action(); fill(questions); }, 'quiet');
  return [
    one.picture && el('a', { href: `/picture/${encodeURIComponent(one.picture)}`, target: '_blank' },
      el('img', { src: `/picture/small-${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') })),
    el('p.asks', one.text, firstOf(groups)),
    shotsOf([one, ...others]),
    gauge(one),
    one.clip && clip(one.clip),
    answers(one, others),
    others.length > 0 && turn(say('One by one'), () => { single = true; }),
    shown !== left && left.length > 0 && turn(sayMany('{n} question that was left open', '{n} questions that were left open', left.length), () => { old = true; }),
  ];
}

const fill = (questions) => refresh(place, () => show(questions), [questions, old, single]);

/** Open the questions of a match. */
export function openInbox(match) {
  old = false;
  single = false;
  openSheet(say('Questions'), place);
  fill(asksOf(match));
}

/** While the sheet shows the questions, keep it up to date; close it when the last was answered here. */
export function showInbox(match) {
  if (!place.isConnected || !place.closest('dialog').open) return;
  const questions = asksOf(match);
  if (!questions.length && open.every((id) => mine.includes(id))) closeSheet();
  else if (!questions.length) emptySheet(say('No question is open any more.'));
  else if (fill(questions)) sheetIsNew();
}
