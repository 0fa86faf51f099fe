// What the table asks, in one line: how many questions there are and what is at stake. The scorer opens it.

import { byId, el, refresh } from '../shared/dom.js';
import { sayMany } from '../shared/words.js';

/** Questions in the same words about the same round, together: one answer may be given to all of a group. A measured
 *  one stands alone. */
export function alike(questions) {
  const key = ({ id, text, round, clearance, answers }) => JSON.stringify([text, round, clearance === null || id, answers.map((one) => one.id)]);
  const keys = [...new Set(questions.map(key))];
  return keys.map((one) => questions.filter((question) => key(question) === one));
}

/** How many questions there are, and what the round may count for the sides that they concern; or the only one's text. */
function line(match, pressing) {
  const stakes = match.sides.filter(({ total_range: [low, high] }) => low !== high)
    .map(({ name, total_range: [low, high] }) => el('span', { class: 'stake' }, el('span', {}, name), ` ${low}–${high}`));
  const different = alike(pressing).length;
  const text = different === 1 && el('span', { class: 'lines' }, pressing[0].text);
  return [el('b', {}, sayMany('{n} question', '{n} questions', different)), stakes.length ? el('span', { class: 'stakes' }, stakes) : text];
}

/** Whether the scorer is asked now: a spot check holds nothing up, and is asked all the same. */
export const isAsked = ({ pressing, kind }) => pressing || kind === 'check';

/** Show how many questions there are; `open()` shows them to whoever may answer. */
export function showQuestions({ match }, open = null) {
  const pressing = (match?.questions ?? []).filter((one) => (open ? isAsked(one) : one.pressing));
  const asked = pressing.map(({ id, text }) => [id, text]);
  refresh(byId('questions'), [asked, match?.sides, Boolean(open)], () => {
    if (!pressing.length) return [];
    if (!open) return el('p', { class: 'inbox' }, line(match, pressing));
    return el('button', { type: 'button', class: 'inbox', onclick: open }, line(match, pressing), el('i', { 'aria-hidden': 'true' }, '›'));
  });
}
