// The open questions in one line: their number and what is at stake. The scorer opens it.

import { byId, el, refresh } from '../shared/dom.js';
import { sayMany } from '../shared/words.js';

/** Group questions with the same words about the same round, which can be answered together; measured ones stay alone. */
export function grouped(questions) {
  const key = ({ id, text, round, clearance, answers }) => JSON.stringify([text, round, clearance === null || id, answers.map((one) => one.id)]);
  const keys = [...new Set(questions.map(key))];
  return keys.map((one) => questions.filter((question) => key(question) === one));
}

/** The number of questions and the possible totals of the sides concerned, or the text of a single question. */
function line(match, pressing) {
  const stakes = match.sides.filter(({ total_range: [low, high] }) => low !== high)
    .map(({ name, total_range: [low, high] }) => el('span.stake', el('span', name), ` ${low}–${high}`));
  const different = grouped(pressing).length;
  const text = different === 1 && el('span.lines', pressing[0].text);
  return [el('b', sayMany('{n} question', '{n} questions', different)), stakes.length ? el('span.stakes', stakes) : text];
}

/** Whether to ask the scorer now: also spot checks, although they are not pressing. */
export const isAsked = ({ pressing, kind }) => pressing || kind === 'check';

/** Show the number of questions; `open()` shows the questions themselves, to a scorer. */
export function showQuestions({ match }, open = null) {
  const pressing = (match?.questions ?? []).filter((one) => (open ? isAsked(one) : one.pressing));
  const asked = pressing.map(({ id, text }) => [id, text]);
  refresh(byId('questions'), [asked, match?.sides, Boolean(open)], () => {
    if (!pressing.length) return [];
    if (!open) return el('p.inbox', line(match, pressing));
    return el('button', { class: 'inbox', onclick: open }, line(match, pressing), el('i', { 'aria-hidden': 'true' }, '›'));
  });
}
