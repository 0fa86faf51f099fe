// The question that decides most, on the table's screen: its picture and figure, and its answers. People give them on a phone.

import { el, page, refresh, svg } from '../shared/dom.js';
import { millimetres, say } from '../shared/words.js';

const LONG = 40; // letters of a question that are shown smaller
const LEAST = 1; // mm that a gauge shows at least to each side of the line

/** A disc's distance from its line as a figure and a drawing; empty for a question without. */
export function gauge({ clearance, sigma }) {
  if (clearance === null || clearance === undefined) return [];
  const reach = Math.max(LEAST, Math.abs(clearance) + 2 * sigma);
  const at = (mm) => `${50 - (50 * mm) / reach}%`;
  const mm = millimetres(Math.abs(clearance));
  return [
    el('p.measured', el('b', clearance > 0 ? say('{mm} mm inside', { mm }) : say('{mm} mm over', { mm })), el('span', `±${millimetres(sigma)} mm`)),
    svg('svg.gauge', { 'aria-hidden': 'true' }, svg('rect', { x: at(clearance + sigma), width: `${(100 * sigma) / reach}%` }),
      svg('line.scale', { x2: '100%' }), svg('line.edge', { x1: '50%', x2: '50%', y2: '100%' }), svg('circle', { cx: at(clearance) })),
    el('p.ends', el('span', say('inside')), el('span', say('over the line'))),
  ];
}

/** Show the first pressing question of a match, if there is one. */
export function showAsked(match) {
  const pressing = (match?.questions ?? []).filter((one) => one.pressing);
  const [one] = pressing;
  if (one) page.dataset.asked = one.picture ? 'picture' : 'yes'; else delete page.dataset.asked;
  refresh('questions', () => one && [
    el(`p.asks${one.text.length > LONG ? '.long' : ''}`, one.text, pressing.length > 1 && el('small', ' ', say('1 of {n}', { n: pressing.length }))),
    el('div.answers', one.answers.filter(({ id }) => id !== 'unknown').map((answer) => el('p', el('b', answer.text), el('span', answer.effect)))),
  ]);
  refresh('picture', () => one?.picture && [
    el('img', { src: `/picture/${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') }), gauge(one)]);
}
