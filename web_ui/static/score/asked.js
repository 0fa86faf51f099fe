// The question that decides most, on the table's screen: its picture and figure, and its answers. People give them on a phone.

import { el, page, refresh, svg } from '../shared/dom.js';
import { millimetres, say } from '../shared/words.js';

const LONG = 40; // letters of a question that are shown smaller
const LEAST = 1; // mm that a gauge shows at least to each side of the line

/** A line with its edge, a point, and a range of that width, at lengths as CSS has them. */
export const scale = (edge, point, from, width) => svg('svg.gauge', { 'aria-hidden': 'true' }, svg('rect', { x: from, width }),
  svg('line', { x2: '100%' }), svg('line.edge', { x1: edge, x2: edge, y2: '100%' }), svg('circle', { cx: point }));

/** A disc's distance from its line as a figure and a drawing; empty for a question without. */
export function gauge({ clearance, sigma }) {
  if (clearance === null || clearance === undefined) return [];
  const reach = Math.max(LEAST, Math.abs(clearance) + 2 * sigma);
  const at = (mm) => `${50 - (50 * mm) / reach}%`;
  const mm = millimetres(Math.abs(clearance));
  return [
    el('p.measured', el('b', clearance > 0 ? say('{mm} mm inside', { mm }) : say('{mm} mm over', { mm })), el('span', `±${millimetres(sigma)} mm`)),
    scale(at(0), at(clearance), at(clearance + sigma), `${(100 * sigma) / reach}%`),
    el('p.ends', el('span', say('inside')), el('span', say('over the line'))),
  ];
}

/** That a question is the first of several. */
export const firstOf = ({ length: n }) => n > 1 && el('small', ' ', say('1 of {n}', { n }));

/** Show the first pressing question of a match, if there is one. */
export function showAsked(match) {
  const pressing = (match?.questions ?? []).filter((one) => one.pressing);
  const [one] = pressing;
  if (one) page.dataset.asked = one.picture ? 'picture' : 'yes'; else delete page.dataset.asked;
  refresh('questions', () => one && [
    el(`p.asks${one.text.length > LONG ? '.long' : ''}`, one.text, firstOf(pressing)),
    el('div.answers', one.answers.filter(({ id }) => id !== 'unknown').map((answer) => el('p', el('b', answer.text), el('span', answer.effect)))),
  ]);
  refresh('picture', () => one?.picture && [
    el('img', { src: `/picture/${encodeURIComponent(one.picture)}`, alt: say('Picture of the discs in question') }), gauge(one)]);
}
