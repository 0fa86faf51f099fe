// What the table asks, in one line: how many questions there are and what is at stake. The scorer opens it.

import { byId, el, refresh } from './dom.js';
import { say, sayMany } from './words.js';

/** How many questions there are, and what the round may count for the sides that they concern; or the only one's text. */
function line(match, pressing) {
  const stakes = match.sides.filter(({ total_range: [low, high] }) => low !== high)
    .map(({ name, total_range: [low, high] }) => el('span', { class: 'stake' }, el('span', {}, name), ` ${low}–${high}`));
  const text = pressing.length === 1 && el('span', { class: 'lines' }, pressing[0].text);
  return [el('b', {}, sayMany('{n} question', '{n} questions', pressing.length)), stakes.length ? el('span', { class: 'stakes' }, stakes) : text];
}

/** Show how many questions there are; `open()` shows them to whoever may answer. */
export function showQuestions({ match }, open = null) {
  const pressing = (match?.questions ?? []).filter((one) => one.pressing);
  const asked = pressing.map(({ id, text }) => [id, text]);
  refresh(byId('questions'), [asked, match?.sides, Boolean(open)], () => {
    if (!pressing.length) return [];
    if (!open) return el('p', { class: 'inbox' }, line(match, pressing));
    return el('button', { type: 'button', class: 'inbox', onclick: open }, line(match, pressing), el('i', { 'aria-hidden': 'true' }, '›'));
  });
}
