// The open questions in one line: their number and the first. The scorer opens it.

import { el, refresh, remembered } from '../shared/dom.js';
import { sayMany } from '../shared/words.js';

/** Group questions with the same words about the same round, which can be answered together; measured ones stay alone. */
export function grouped(questions) {
  const key = ({ id, text, round, clearance, answers }) => JSON.stringify([text, round, clearance === null || id, answers.map((one) => one.id)]);
  const keys = [...new Set(questions.map(key))];
  return keys.map((one) => questions.filter((question) => key(question) === one));
}

/** The number of questions, and the first of them: the totals that they leave open stand at the sides. */
const line = (pressing) => [el('b', sayMany('{n} question', '{n} questions', grouped(pressing).length)), el('span.lines', pressing[0].text)];

/** The name under which a phone remembers that somebody answered a pressing question on it. */
export const ANSWERED = 'answered';

/** Whether to ask the scorer now: also spot checks, although they are not pressing, of who knows questions. */
export const isAsked = ({ pressing, kind }) => pressing || (kind === 'check' && remembered.get(ANSWERED) !== null);

/** The questions that a scorer can answer. */
export const asksOf = (match) => (match?.questions ?? []).filter((one) => isAsked(one) || one.kind !== 'check');

/** Show the number of questions; `open()` shows the questions themselves, to a scorer, also those that were left open. */
export function showQuestions({ match }, open = null) {
  const all = asksOf(match).filter((one) => open || one.pressing);
  const pressing = all.filter(isAsked);
  refresh('questions', () => {
    if (!all.length) return null;
    if (!open) return el('p.inbox', line(pressing));
    const words = pressing.length ? line(pressing) : el('span.lines', sayMany('{n} question that was left open', '{n} questions that were left open', all.length));
    return el('button.inbox', { class: !pressing.length && 'rests', onclick: open }, words, el('i', { 'aria-hidden': 'true' }, '›'));
  });
}
