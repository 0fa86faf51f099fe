// The board, drawn to scale from the state's discs. Millimetres; the page's y goes down, the board's up.

import { el, millimetres, svg, text } from './dom.js';

/** The NCA tournament board. A test holds these to the table's own. */
export const BOARD = {
  hole: 17.4625, fifteen: 101.6, ten: 203.2, outer: 304.8, line: 1.5875,
  surface: 330.2, ditch: 381, rail: 393.7,
  pegCircle: 101.6, peg: 4.75, pegAngles: [22.5, 67.5, 112.5, 157.5, 202.5, 247.5, 292.5, 337.5],
  quadrantAngles: [45, 135, 225, 315], disc: 15.9,
};

const EDGE = BOARD.rail + 6;

/** A disc of a side around the origin: A has a ring, B a dot, so that colour alone never tells them apart. */
export function discShape(side, radius) {
  const mark = side === 'A'
    ? svg('circle', { class: 'mark ring', r: radius * 0.62, 'stroke-width': radius * 0.13 })
    : svg('circle', { class: 'mark dot', r: radius * 0.3 });
  return svg('g', { class: `disc-shape side-${side}` },
    svg('circle', { class: 'face', r: radius, 'stroke-width': radius * 0.09 }),
    svg('circle', { fill: 'url(#shine)', r: radius }), mark);
}

const at = (radius, degrees) => {
  const angle = (degrees * Math.PI) / 180;
  return [radius * Math.cos(angle), -radius * Math.sin(angle)];
};

function wood() {
  const stop = (offset, name) => svg('stop', { offset, class: name });
  const grain = svg('pattern', { id: 'grain', width: 131, height: 800, patternUnits: 'userSpaceOnUse' });
  for (let i = 0; i < 13; i++) {
    const x = i * 10 + 3 * Math.sin(i * 2.4);
    grain.append(svg('path', {
      d: `M${x} 0 C${x + 5} 210 ${x - 6} 330 ${x + 2} 480 S${x - 3} 700 ${x} 800`,
      'stroke-width': 0.6 + (i * 7 % 5) * 0.45,
    }));
  }
  return svg('defs', {},
    svg('radialGradient', { id: 'maple', cx: '38%', cy: '30%', r: '85%' }, stop('0', 'maple-light'), stop('1', 'maple-dark')),
    svg('radialGradient', { id: 'ditch' }, stop('0.84', 'ditch-deep'), stop('1', 'ditch-rim')),
    svg('radialGradient', { id: 'shine', cx: '35%', cy: '25%', r: '80%' }, stop('0', 'shine-light'), stop('1', 'shine-dark')),
    svg('linearGradient', { id: 'walnut', x1: 0, y1: 0, x2: 1, y2: 1 }, stop('0', 'walnut-light'), stop('1', 'walnut-dark')),
    grain);
}

function drawBoard() {
  const circle = (r, attributes) => svg('circle', { r, ...attributes });
  const line = { class: 'line', 'stroke-width': BOARD.line };
  const lines = [BOARD.fifteen, BOARD.ten, BOARD.outer].map((r) => circle(r, line));
  const quadrants = BOARD.quadrantAngles.map((angle) => {
    const [x1, y1] = at(BOARD.ten, angle);
    const [x2, y2] = at(BOARD.outer, angle);
    return svg('line', { ...line, x1, y1, x2, y2 });
  });
  const pegs = BOARD.pegAngles.map((angle) => {
    const [cx, cy] = at(BOARD.pegCircle, angle);
    return svg('g', {}, circle(BOARD.peg, { class: 'peg-shadow', cx: cx + 2, cy: cy + 3 }),
      circle(BOARD.peg, { class: 'peg', cx, cy }), circle(1.6, { class: 'peg-light', cx: cx - 1.4, cy: cy - 1.4 }));
  });
  return svg('svg', { viewBox: `${-EDGE} ${-EDGE} ${2 * EDGE} ${2 * EDGE}`, 'aria-label': text('board_label'), role: 'group' },
    wood(),
    circle(BOARD.rail, { fill: 'url(#walnut)' }),
    circle(BOARD.ditch, { fill: 'url(#ditch)' }),
    circle(BOARD.surface + 3, { class: 'surface-shadow' }),
    circle(BOARD.surface, { fill: 'url(#maple)' }),
    circle(BOARD.surface, { fill: 'url(#grain)' }),
    circle(BOARD.fifteen, { class: 'centre' }),
    ...lines, ...quadrants,
    circle(BOARD.hole, { class: 'hole' }), circle(BOARD.hole, { class: 'hole-lip' }),
    ...pegs,
    svg('g', { class: 'discs' }));
}

function drawDisc(disc) {
  const r = BOARD.disc;
  const parts = [
    svg('circle', { class: 'disc-shadow', r, cx: 2.5, cy: 4 }),
    discShape(disc.side, r),
  ];
  if (disc.call === 'close') {
    parts.push(svg('circle', { class: 'doubt-halo', r: r + 6 }), svg('circle', { class: 'doubt', r: r + 6 }));
    const label = millimetres(disc.clearance);
    const width = 15 * (label.length + 3) + 26;
    // The label goes towards the middle of the board where there is room for it, or else beside the disc.
    const y = disc.y > 0 ? r + 27 : -r - 27;
    const x = Math.max(-EDGE + width / 2, Math.min(EDGE - width / 2, disc.x)) - disc.x;
    parts.push(svg('g', { class: 'doubt-label', transform: `translate(${x} ${y})` },
      svg('rect', { x: -width / 2, y: -16, width, height: 32, rx: 16 }),
      svg('text', { 'text-anchor': 'middle', y: 9 }, `${label} mm`)));
  }
  if (disc.remove) {
    const d = r * 1.15;
    const cross = `M${-d} ${-d}L${d} ${d}M${d} ${-d}L${-d} ${d}`;
    parts.push(svg('path', { class: 'cross-halo', d: cross }), svg('path', { class: 'cross', d: cross }));
  }
  return parts;
}

/** What the disc is, in words. */
export function discWords(disc, match) {
  const side = match.sides.find((one) => one.id === disc.side);
  return text('disc', {
    name: side.name,
    zone: text(`zone_${disc.zone}`),
    doubt: disc.call === 'close' ? text('doubt', { mm: millimetres(disc.clearance) }) : '',
    remove: disc.remove ? text(`remove_${disc.remove}`) : '',
  });
}

function touchable(group, onDisc) {
  group.append(svg('circle', { class: 'touch', r: BOARD.disc * 1.7 }));
  group.setAttribute('role', 'button');
  group.setAttribute('tabindex', '0');
  group.addEventListener('click', () => onDisc(group.dataset.disc));
  group.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') { event.preventDefault(); onDisc(group.dataset.disc); }
  });
}

/** Show the match's discs; with `onDisc(id)`, each can be touched. Discs that stay move to their new place. */
export function showBoard(node, match, onDisc) {
  if (!node.firstChild) node.append(drawBoard());
  const layer = node.querySelector('.discs');
  const before = new Map([...layer.children].map((group) => [group.dataset.disc, group]));
  const asked = new Set((match?.questions ?? []).flatMap((question) => question.discs));
  for (const disc of match?.discs ?? []) {
    const { x, y, ...looks } = disc;
    const key = JSON.stringify([looks, disc.call === 'close' && [x, y], Boolean(onDisc), asked.has(disc.id)]);
    let group = before.get(disc.id);
    before.delete(disc.id);
    if (!group) {
      group = svg('g', { 'data-disc': disc.id });
      layer.append(group);
    }
    if (group.dataset.key !== key) {
      const fresh = svg('g', { 'data-disc': disc.id, 'data-key': key, class: `disc ${disc.pose}${asked.has(disc.id) ? ' asked' : ''}` },
        ...drawDisc(disc));
      fresh.style.transform = group.style.transform;
      fresh.setAttribute('aria-label', discWords(disc, match));
      if (onDisc) touchable(fresh, onDisc); else fresh.setAttribute('role', 'img');
      group.replaceWith(fresh);
      group = fresh;
      group.getBoundingClientRect(); // so that the browser knows where it was, and moves it from there
    }
    group.style.transform = `translate(${x}px, ${-y}px)`;
  }
  for (const gone of before.values()) gone.remove();
}

/** A disc as a picture of its own, for lists. */
export const discIcon = (side) => {
  const icon = svg('svg', { viewBox: '-17 -17 34 34', class: 'disc-icon', 'aria-hidden': 'true' }, discShape(side, 15.5));
  return el('span', { class: 'disc-box' }, icon);
};
