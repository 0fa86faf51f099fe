// The board, drawn to scale from the state's discs. Millimetres; the page's y goes down, the board's up.

import { el, put, svg, withId } from './dom.js';
import { joined, millimetres, say } from './words.js';

/** The NCA tournament board. A test holds these to the table's own. */
export const BOARD = {
  hole: 17.4625, fifteen: 101.6, ten: 203.2, outer: 304.8, line: 1.5875,
  surface: 330.2, ditch: 381,
  pegCircle: 101.6, peg: 4.75, pegAngles: [22.5, 67.5, 112.5, 157.5, 202.5, 247.5, 292.5, 337.5],
  quadrantAngles: [45, 135, 225, 315], disc: 15.9,
};

const EDGE = BOARD.ditch;

const MARKS = {
  A: (r) => svg('circle.mark', { r: r * 0.62, 'stroke-width': r * 0.13 }),
  B: (r) => svg('circle.mark.dot', { r: r * 0.3 }),
  C: (r) => svg('path.mark', { d: `M${-r / 2} 0H${r / 2}M0 ${-r / 2}V${r / 2}`, 'stroke-width': r * 0.18 }),
  D: (r) => svg('rect.mark', { x: -r * 0.4, y: -r * 0.4, width: r * 0.8, height: r * 0.8, 'stroke-width': r * 0.13 }),
};

/** A disc of a side around the origin. Each side has its own mark, so that nobody has to distinguish colours. */
export function discShape(side, radius) {
  return svg(`g.disc-shape.side-${side}`,
    svg('circle.face', { r: radius, 'stroke-width': radius * 0.1 }), MARKS[side]?.(radius));
}

const at = (radius, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.cos(angle), -radius * Math.sin(angle)];
};

const START = (BOARD.outer + BOARD.surface) / 2; // where the starting line of who shoots is marked

function drawBoard() {
  const circle = (kind, r, attributes) => svg(`circle.${kind}`, { r, ...attributes });
  const width = { 'stroke-width': BOARD.line };
  const lines = [BOARD.fifteen, BOARD.ten, BOARD.outer].map((r) => circle('line', r, width));
  const quadrants = BOARD.quadrantAngles.map((angle) => {
    const [x1, y1] = at(BOARD.ten, angle);
    const [x2, y2] = at(BOARD.outer, angle);
    return svg('line.line', { ...width, x1, y1, x2, y2 });
  });
  const pegs = BOARD.pegAngles.map((angle) => {
    const [cx, cy] = at(BOARD.pegCircle, angle);
    return circle('peg', BOARD.peg, { cx, cy });
  });
  const [x, y] = at(START, 45);
  return svg('svg', { viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`, 'aria-label': say('The board as the camera read it'), role: 'group' },
    circle('ditch', BOARD.ditch),
    circle('wood', BOARD.surface),
    circle('centre', BOARD.fifteen),
    lines, quadrants,
    circle('hole', BOARD.hole),
    pegs,
    svg('path.start', { d: `M${-x} ${-y}A${START} ${START} 0 0 0 ${x} ${-y}` }),
    svg('g.strangers'), svg('g.trails'), svg('g.discs'));
}

/** A ring with four ticks around a disc named on the page; the rings of questions are dashed and closer. */
function namedRing() {
  const r = BOARD.disc + 13;
  const ticks = `M0 ${-r}v-9M0 ${r}v9M${-r} 0h-9M${r} 0h9`;
  return ['halo', 'named'].map((name) => svg(`g.${name}`, { 'stroke-width': 8 }, svg('circle', { r }), svg('path', { d: ticks })));
}

function drawDisc(disc, asked, named) {
  const r = BOARD.disc;
  const close = disc.call === 'close';
  const parts = [
    svg('circle.disc-shadow', { r, cx: 2.5, cy: 4 }),
    discShape(disc.side, r),
    named && namedRing(),
    (asked || close) && [svg('circle.halo', { 'stroke-width': 9, r: r + 6 }), svg('circle.doubt', { r: r + 6 })],
  ];
  if (close) {
    const label = disc.at_line ? `${millimetres(disc.clearance)} mm` : '?';
    const width = 15 * label.length + 26;
    // The label goes towards the middle of the board if there is room, else beside the disc.
    const y = disc.y > 0 ? r + 27 : -r - 27;
    const x = Math.max(-EDGE + width / 2, Math.min(EDGE - width / 2, disc.x)) - disc.x;
    parts.push(svg('g.doubt-label', { transform: `translate(${x} ${y})` },
      svg('rect', { x: -width / 2, y: -16, width, height: 32, rx: 16 }),
      svg('text', { 'text-anchor': 'middle', y: 9 }, label)));
  }
  if (disc.remove) {
    const d = r * 1.15;
    const [kind, path] = disc.remove === 'twenty' ? ['lift', `M0 ${-r * 1.6}V${-r * 6}M${-r * 1.9} ${-r * 4.2}L0 ${-r * 6}L${r * 1.9} ${-r * 4.2}`]
      : ['cross', `M${-d} ${-d}L${d} ${d}M${d} ${-d}L${-d} ${d}`];
    parts.push(svg('path.halo', { 'stroke-width': 11, d: path }), svg(`path.${kind}`, { d: path }));
  }
  return parts;
}

export const zoneName = (zone) => (zone === 0 ? say('Ditch') : String(zone));

/** The disc's description. */
export function discWords(disc, match, named = false) {
  const side = withId(match.sides, disc.side);
  return joined([
    `${disc.name ?? side.name}: ${zoneName(disc.zone)}`,
    disc.call === 'close' && (disc.at_line ? say('close call by {mm} mm', { mm: millimetres(disc.clearance) }) : say('not seen well')),
    disc.removal,
    named && say('the call names it'),
  ], ', ');
}

/** The attributes of a disc that can be touched. */
const touchable = (onclick) => ({ role: 'button', tabindex: 0, onclick, onkeydown: (event) => {
  if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); onclick(); }
} });

const TOWARDS = { 1: [0, -1], 2: [-1, 0], 3: [0, 1], 4: [1, 0] }; // a seat's direction from the middle

/** The point on a seat's starting line from which a place was probably shot at. */
export function startOf(seat, { x, y }) {
  const [sx, sy] = TOWARDS[seat];
  const along = Math.max(-170, Math.min(170, sx ? y : x));
  const out = Math.sqrt(BOARD.outer ** 2 - along ** 2);
  return sx ? { x: sx * out, y: along } : { x: along, y: sy * out };
}

const strangerShape = ({ x, y }) => svg('circle.stranger', { cx: x, cy: -y, r: BOARD.disc });

/** The tapped place on the board: [x, y] in millimetres. */
export function placeOf(drawn, { clientX, clientY }) {
  const point = new DOMPoint(clientX, clientY).matrixTransform(drawn.getScreenCTM().inverse());
  return [Math.round(point.x * 10) / 10, Math.round(-point.y * 10) / 10];
}

/** The target of a tap: [x, y] of a free place on the board, 'hole', or null for a disc or a place beside the board. */
export function tapped(drawn, event) {
  const at = placeOf(drawn, event);
  const out = Math.hypot(...at);
  if (event.target.closest('.disc') || out > BOARD.surface) return null;
  return out < BOARD.hole + BOARD.disc / 2 ? 'hole' : at;
}

const place = (group, { x, y }) => { group.style.transform = `translate(${x}px, ${-y}px)`; };

/** Show the match's discs. With `onDisc(id)`, each can be touched. Discs that stay move to their new place. */
export function showBoard(node, match, onDisc = null) {
  if (!node.firstChild) node.append(drawBoard());
  const seat = match?.round && !match.over && !match.manual && match.round.seat_to_shoot;
  const start = node.querySelector('.start');
  start.style.display = seat ? '' : 'none';
  start.style.transform = `rotate(${90 * (seat - 1)}deg)`;
  const layer = node.querySelector('.discs');
  const before = new Map([...layer.children].map((group) => [group.dataset.disc, group]));
  const asked = new Set((match?.questions ?? []).filter((one) => one.round === match.round?.number).flatMap((question) => question.discs));
  const named = new Set(match?.last_call?.named);
  for (const disc of match?.discs ?? []) {
    const { x, y, ...looks } = disc;
    const key = JSON.stringify([looks, disc.call === 'close' && [x, y], Boolean(onDisc), asked.has(disc.id), named.has(disc.id)]);
    const old = before.get(disc.id);
    before.delete(disc.id);
    if (old?.dataset.key === key && old.dataset.x === String(x) && old.dataset.y === String(y)) continue; // asking for its place costs a layout
    let group = old;
    if (group?.dataset.key !== key) {
      group = svg(`g.disc.${disc.pose}`, { 'data-disc': disc.id, 'data-key': key, class: asked.has(disc.id) && 'asked',
        'aria-label': discWords(disc, match, named.has(disc.id)), ...(onDisc ? touchable(() => onDisc(disc.id)) : { role: 'img' }) },
      drawDisc(disc, asked.has(disc.id), named.has(disc.id)), onDisc && svg('circle.touch', { r: BOARD.disc * 1.7 }));
      if (old) { group.style.transform = old.style.transform; old.replaceWith(group); } else layer.append(group);
    }
    if (old) group.getBoundingClientRect(); // so that the browser animates it from its old place
    place(group, disc);
    Object.assign(group.dataset, { x, y });
  }
  for (const gone of before.values()) gone.remove();
  put(node.querySelector('.strangers'), match?.strangers.map(strangerShape));
}

/** A disc as a picture of its own, for lists. */
export const discIcon = (side) => {
  const icon = svg('svg.disc-icon', { viewBox: '-17 -17 34 34', 'aria-hidden': 'true' }, discShape(side, 15.5));
  return el('span.disc-box', icon);
};
