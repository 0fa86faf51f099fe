// The margin over a match, shot by shot. Two sides: above the line the first side leads, below it the second. Three or
// four sides: a line for each side's lead over the best of the others. One side: its total.

import { discShape } from '../shared/board.js';
import { svg } from '../shared/dom.js';
import { say } from '../shared/words.js';

const WIDTH = 600;
const HEIGHT = 140;
const EDGE = 14;

/** A chart of a match's shots with one marked; a touch calls `choose(index)`. */
export function marginChart(match, chosen, choose) {
  const several = match.sides.length > 2;
  const [a, b] = match.sides;
  const ahead = ({ totals }, { id }) => totals[id] - Math.max(0, ...Object.keys(totals).filter((other) => other !== id).map((other) => totals[other]));
  const lines = (several ? match.sides : [a]).map((side) => ({ side, margins: match.shots.map((shot) => ahead(shot, side)) }));
  const most = Math.max(20, ...lines.flatMap(({ margins }) => margins.map(Math.abs)));
  const x = (i) => EDGE + ((WIDTH - 2 * EDGE) * i) / Math.max(1, match.shots.length - 1);
  const y = (margin) => HEIGHT / 2 - (margin / most) * (HEIGHT / 2 - EDGE);
  const ends = match.shots.flatMap((shot, i) => (i > 0 && shot.round !== match.shots[i - 1].round ? [(x(i) + x(i - 1)) / 2] : []));
  const drawn = svg('svg.chart', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': say('The margin after each shot; the list above has the same shots.') },
    svg('line.zero', { x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    ends.map((at) => svg('line.end', { x1: at, x2: at, y1: 0, y2: HEIGHT })),
    lines.map(({ side, margins }) => svg('polyline.margin', { class: several && `side-${side.id}`, points: margins.map((margin, i) => `${x(i)},${y(margin)}`).join(' ') })),
    svg('text', { x: 2, y: 12 }, several ? `+${most}` : `${a.name} +${most}`), svg('text', { x: 2, y: HEIGHT - 3 }, several || !b ? `−${most}` : `${b.name} +${most}`),
    chosen >= 0 && lines.map(({ side, margins }) => svg('g', { transform: `translate(${x(chosen)} ${y(margins[chosen])})` },
      several ? discShape(side.id, 6) : svg('circle.now', { r: 5 }))));
  drawn.addEventListener('click', (event) => {
    const box = drawn.getBoundingClientRect();
    const part = (((event.clientX - box.left) / box.width) * WIDTH - EDGE) / (WIDTH - 2 * EDGE);
    choose(Math.max(0, Math.min(match.shots.length - 1, Math.round(part * (match.shots.length - 1)))));
  });
  return drawn;
}
