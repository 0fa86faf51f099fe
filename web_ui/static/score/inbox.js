// The questions on the scorer's sheet: each with its picture, its figure and the effect of every answer.

import { el, refresh } from '../shared/dom.js';
import { attempt, closeSheet, emptySheet, openSheet, sheetIsNew } from '../shared/forms.js';
import { grouped, isAsked } from './questions.js';
import { distance } from './score.js';
import { carryOut } from '../shared/scorer.js';
import { say, sayMany } from '../shared/words.js';

const place = el('div', { class: 'questions', 'aria-live': 'polite' });
let open = []; // the ids of the questions on it
const mine = []; // those that were answered here

function answers(one, also = []) {
  const button = (answer) => el('button', {
    class: answer.id === 'unknown' ? 'unknown' : 'main', value: one.id,
    onclick: () => {
      mine.push(one.id, ...also.map(({ id }) => id));
      attempt(() => carryOut(['answer', { question: one.id, answer: answer.id, ...(also.length && { also: also.map(({ id }) => id) }) }]));
    },
  }, also.length ? say('All: {answer}', { answer: answer.text }) : answer.text, !also.length && answer.effect && el('small', answer.effect));
  return el('div.answers', one.answers.map(button));
}

const shotOf = ({ shot, round }) => (shot ? el('p.hint', say('Round {round}, shot {number}', { round, number: shot })) : null);

/** One question about several shots: answered for all at once, or one by one. */
function several([one, ...others]) {
  const all = [one, ...others];
  return el('article.several',
    el('p.asks', one.text),
    el('p.hint', say('Round {round}, shots {shots}', { round: one.round, shots: all.map(({ shot }) => shot).filter(Boolean).join(', ') })),
    answers(one, others),
    el('details', el('summary', say('One by one')), all.map(question)));
}

const groups = (questions) => grouped(questions).map((group) => (group.length > 1 ? several(group) : question(group[0])));

/** A clip; its player is loaded on demand. */
function clip(name) {
  const node = el('div');
  import('../review/clip.js').then(({ clipOf }) => node.replaceWith(clipOf(name)), () => {});
  return node;
}

const question = (one) => el('article',
  one.picture && el('a', { href: `/picture/${encodeURIComponent(one.picture)}`, target: '_blank' },
    el('img', { src: `/picture/small-${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') })),
  el('div',
    el('p.asks', one.text),
    shotOf(one),
    distance(one) && el('p.hint', distance(one))),
  one.clip && clip(one.clip),
  answers(one));

function show(questions) {
  open = questions.map(({ id }) => id);
  const pressing = questions.filter(isAsked);
  const others = questions.filter((one) => !isAsked(one));
  return [
    groups(pressing),
    others.length > 0 && el('details', { open: !pressing.length },
      el('summary', sayMany('{n} question that was left open', '{n} questions that were left open', others.length)),
      groups(others)),
  ];
}

/** Open the questions of a match. */
export function openInbox(match) {
  openSheet(say('Questions'), place);
  refresh(place, match.questions, () => show(match.questions));
}

/** While the sheet shows the questions, keep it up to date; close it when the last was answered here. */
export function showInbox(match) {
  if (!place.isConnected || !place.closest('dialog').open) return;
  const questions = match?.questions ?? [];
  if (questions.length === 0 && open.every((id) => mine.includes(id))) closeSheet();
  else if (!questions.length) emptySheet(say('No question is open any more.'));
  else if (refresh(place, questions, () => show(questions))) sheetIsNew();
}
