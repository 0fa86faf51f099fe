// Figures over many matches: trends, the spread of twenties, resting places, streaks and records, each with its sample
// size, and only if that is large enough.

import { getJson } from '../shared/commands.js';
import { BOARD, showBoard } from '../shared/board.js';
import { each, el, folded, link, put, svg, table as lined, wide } from '../shared/dom.js';
import { button, field, select } from '../shared/forms.js';
import { dayOf, language, monthOf, number, percent, say, sayMany } from '../shared/words.js';

const WIDTH = 600;
const HEIGHT = 170;
const LEFT = 56;
const EDGE = 22;
const STEPS = 6; // of the density's colours: as many as are distinguishable
const FINE = 8; // mm, the squares in which the density is drawn
const REACH = 2 * BOARD.disc; // mm within which a shot counts for a place

const rounded = (value, digits = 2) => number(value, { maximumFractionDigits: digits });

/** A table that scrolls sideways on a narrow screen. */
export function table(caption, heads, rows) {
  return wide(lined(heads, rows.map(([first, ...others]) => el('tr', el('th', { scope: 'row' }, first), each('td', others))), el('caption.for-ears', caption)));
}

/** A section of the page under its title. */
export const part = (title, ...content) => el('section', el('h2', title), content);

/** What `show` makes of an answer, and a button that the next part replaces, if there is one at `address(next)`. */
export function paged(answer, address, show) {
  const more = el('p.no-print', button(say('Show more'), async () => more.replaceWith(el('div', paged(await getJson(address(answer.next)), address, show)))));
  return [show(answer), answer.next !== null && more];
}

const tooFew = (enough) => el('p.hint', say('Too few rounds to say anything: {enough} are needed.', { enough }));

const whenOf = ({ begins }, by) => (by === 'month' ? monthOf : dayOf)(begins);

/** A line over time with a point for each day or month, and gaps where there is too little data. */
function trendChart({ by, points }, label, member, written) {
  const known = points.filter((one) => one[member] !== null);
  const values = known.map((one) => one[member]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = high > low ? high - low : Math.max(1, high);
  const x = (one) => LEFT + ((WIDTH - LEFT - EDGE) * (points.indexOf(one) + 0.5)) / points.length;
  const y = (value) => HEIGHT - EDGE - 8 - ((value - low + (high > low ? 0 : room / 2)) / room) * (HEIGHT - 2 * EDGE - 14);
  const path = points.map((one, i) => (one[member] === null ? '' : `${i > 0 && points[i - 1][member] !== null ? 'L' : 'M'}${x(one)} ${y(one[member])}`)).join('');
  return el('figure.trend', el('figcaption', label),
    svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': say('{label}; the table below has the same figures.', { label }) },
      svg('line.zero', { x1: LEFT, x2: WIDTH, y1: HEIGHT - EDGE, y2: HEIGHT - EDGE }),
      svg('path.trend-line', { d: path }),
      known.map((one) => svg('circle.trend-point', { cx: x(one), cy: y(one[member]), r: 5 }, svg('title', [`${whenOf(one, by)}: ${written(one[member])}`, sayMany('{n} round', '{n} rounds', one.rounds)].join(', ')))),
      [...new Set([low, high])].map((value) => svg('text', { x: 2, y: y(value) + 5 }, written(value))),
      svg('text', { x: LEFT, y: HEIGHT - 3 }, whenOf(points[0], by)),
      points.length > 1 && svg('text', { x: WIDTH - 4, y: HEIGHT - 3, 'text-anchor': 'end' }, whenOf(points.at(-1), by))));
}

/** @type {[string, string, (value: number) => string][]} */
const TRENDS = [
  ['twenties_a_round', say('Twenties a round'), rounded],
  ['mean_round', say('Mean round'), (value) => rounded(value, 1)],
  ['won_with_hammer', say('Won with hammer'), percent],
];

export function trends({ trend, enough_rounds: enough }) {
  if (!trend.points.some((one) => one.twenties_a_round !== null)) return tooFew(enough);
  const drawn = TRENDS.filter(([member]) => trend.points.some((one) => one[member] !== null));
  const heads = [trend.by === 'month' ? say('Month') : say('Day'), say('Matches'), say('Rounds'), ...TRENDS.map(([, label]) => label)];
  const rows = trend.points.map((one) => [whenOf(one, trend.by), one.matches, one.rounds, ...TRENDS.map(([member, , written]) => (one[member] === null ? '' : written(one[member])))]);
  return [drawn.map(([member, label, written]) => trendChart(trend, label, member, written)),
    el('p.hint', say('Each point covers at least {enough} rounds; days with fewer have none.', { enough })),
    folded(say('The figures'), table(say('Trends'), heads, rows.reverse()))];
}

const COUNTED = { twenties: say('Twenties'), series: say('Points') };
const FEWEST_FOR_TREND = 3;

/** Practice: how often, the best result, and the trend. */
export function practice({ practice: all }) {
  const value = ({ counts }, round) => (counts === 'twenties' ? round.twenties : round.total);
  const what = (one) => say('{counted} with {discs} discs', { counted: COUNTED[one.counts], discs: one.discs });
  const last = (one) => one.points.at(-1);
  const drawn = all.filter((one) => one.points.length >= FEWEST_FOR_TREND);
  return [table(say('Practice'), [say('Player'), say('Practice'), say('How often'), say('Best'), say('Day'), say('Last')],
    all.map((one) => [one.player, what(one), one.times, link(`/review/${one.best.match}`, rounded(value(one, one.best))), dayOf(one.best.day), rounded(value(one, last(one)))])),
  drawn.map((one) => trendChart({ by: 'day', points: one.points.map((round) => ({ begins: round.day, rounds: 1, reached: value(one, round) })) },
    `${one.player}: ${what(one)}`, 'reached', rounded))];
}

/** A bar chart of rounds by their twenties, with mean and spread. */
export function twenties({ rounds_by_twenties: counts, enough_rounds: enough }) {
  const sum = (of) => counts.reduce((all, one) => all + one.rounds * of(one), 0);
  const rounds = sum(() => 1);
  if (rounds < enough) return tooFew(enough);
  const mean = sum((one) => one.twenties) / rounds;
  const spread = Math.sqrt(sum((one) => (one.twenties - mean) ** 2) / (rounds - 1));
  const most = Math.max(...counts.map((one) => one.rounds));
  const bar = (one) => svg('svg.bar', { viewBox: '0 0 100 10', preserveAspectRatio: 'none', 'aria-hidden': 'true' }, svg('rect', { width: (100 * one.rounds) / most, height: 10 }));
  return [el('p', say('{mean} a round, give or take {spread}, over {rounds} rounds.', { mean: rounded(mean), spread: rounded(spread), rounds: number(rounds) })),
    table(say('Rounds by their twenties'), [say('Twenties'), say('Rounds'), say('Proportion')],
      counts.map((one) => [one.twenties, number(one.rounds), [percent(one.rounds / rounds), bar(one)]]))];
}

const counted = (cells) => cells.reduce((sum, [, , , n]) => sum + n, 0);

/** The percentage of shots within a disc's width of each place: [x, y, share], mm and per cent. */
export function shares({ cell, cells }, seat) {
  const rest = cells.filter(([from]) => !seat || from === seat);
  const shots = counted(rest);
  const places = Array.from({ length: Math.ceil((2 * BOARD.surface) / FINE) }, (_, k) => FINE * (k + 0.5) - BOARD.surface);
  const found = places.flatMap((x) => {
    const beside = rest.filter(([, right]) => Math.abs(right * cell - x) <= REACH);
    const near = (y) => beside.filter(([, right, up]) => Math.hypot(right * cell - x, up * cell - y) <= REACH);
    return places.filter((y) => Math.hypot(x, y) <= BOARD.surface).map((y) => [x, y, (100 * counted(near(y))) / shots]);
  });
  return { shots, found: found.filter(([, , share]) => share > 0) };
}

/** Colour the board by the density of resting shots, with a key; of every seat, or of one. */
export function densityMap({ density }) {
  const node = el('div.map');
  const below = el('div', { 'aria-live': 'polite' });
  const seats = [...new Set(density.cells.map(([one]) => one))].sort();
  const seat = select([['', say('Every seat')], ...seats.map((one) => [one, say('Seat {seat}', { seat: one })])], '', { onchange: () => draw() });
  showBoard(node, null);
  const board = node.querySelector('svg');
  board.setAttribute('aria-label', say('Where shots came to rest'));
  board.setAttribute('role', 'img');
  const draw = () => {
    const { shots, found } = shares(density, Number(seat.value));
    const most = Math.max(...found.map(([, , share]) => share));
    const steps = shots < density.enough ? [] : Array.from({ length: STEPS }, (_, k) => k + 1);
    const square = (kind, attributes) => svg(`rect.${kind}`, { ...attributes, width: 20, height: 20 });
    put(board.querySelector('.strangers'), steps.map((step) => svg('path.heat', { opacity: step / (STEPS + 1), // under the discs' layer, over the wood
      d: found.filter(([, , share]) => Math.ceil((STEPS * share) / most) === step).map(([x, y]) => `M${x - FINE / 2} ${-y - FINE / 2}h${FINE}v${FINE}h${-FINE}z`).join('') })));
    put(below, el('p.hint', sayMany('{n} shot', '{n} shots', shots)), steps.length ? [el('p.hint', say('Of 100 shots, so many lie within a disc\'s breadth:')),
      el('ol.key', steps.map((step) => el('li', svg('svg', { viewBox: '0 0 20 20', 'aria-hidden': 'true' }, square('key-wood'), square('heat', { opacity: step / (STEPS + 1) })),
        say('to {share}', { share: rounded((most * step) / STEPS, 1) }))))]
      : el('p.hint', say('Too few for a map: {enough} are needed.', { enough: density.enough })));
  };
  draw();
  return [field(say('Shot from'), seat), node, below];
}

const names = new Intl.ListFormat(language);

export const records = (figures) => [el('p.hint', sayMany('Of {n} match.', 'Of {n} matches.', figures.matches)),
  table(say('Records'), [say('Record'), say('How many'), say('Who was first'), say('Match')],
    figures.records.map((one) => [one.text, number(one.value), names.format(one.players), link(`/review/${one.match}`, one.match)]))];
