// The sides: their colours, their big discs with the round's total, their twenties, who shoots and who has the hammer.

import { byId, el, page, refresh, svg } from './dom.js';
import { discIcon } from './board.js';
import { known, say, sayMany } from './words.js';

/** The colour of text that can be read on a disc of this colour. */
function inkOn(swatch) {
  const [r, g, b] = [1, 3, 5].map((i) => (parseInt(swatch.slice(i, i + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25 ? '#1d1611' : '#fdf6ea';
}

/** Give the page the sides' colours. */
export function colour(sides) {
  for (const side of sides) {
    if (!/^#[0-9a-f]{6}$/i.test(side.swatch)) continue;
    page.style.setProperty(`--${side.id}`, side.swatch);
    page.style.setProperty(`--${side.id}-ink`, inkOn(side.swatch));
  }
}

const hammerIcon = () => svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' },
  svg('path', { d: 'M4 8.5 12.5 3l4 6.2-8.5 5.6zM13 10.5l8 11-2.6 1.9-8.2-10.8z' }));

/** Whether to show the final score instead of the last round's total; a practice has no match score. */
const decided = ({ over, sides }) => over && sides.length > 1;

/** A side's big figure: the score of a finished match, the twenties of a practice of twenties, else the round's total. */
export const reached = (side, match) => (decided(match) ? side.score : match.format.kind === 'twenties' ? side.twenties : side.total);

const AND = ' & ';

/** The names of a side, each for a line of its own: a pair's are its partners'. */
export function namesOf({ name, seats }) {
  const players = seats.map(({ player }) => player);
  if (players.join(AND) === name) return players;
  return players.length > 1 ? name.split(AND) : [name]; // the seats are unknown
}

/** The side's big disc: the round's total on it, and around it the discs still to be shot. */
function medallion(side, match) {
  const around = [];
  for (let i = 0; i < side.discs && !match.manual; i++) { // by hand, nobody says which were shot
    const angle = (2 * Math.PI * i) / side.discs - Math.PI / 2;
    const left = i < side.shots_left;
    const place = { cx: 114 * Math.cos(angle), cy: 114 * Math.sin(angle), r: left ? 8.5 : 6 };
    around.push(svg('circle', { ...place, class: left ? 'left' : 'played' }));
  }
  const total = String(reached(side, match));
  const [low, high] = side.total_range;
  const open = low !== high && match.format.kind !== 'twenties' && !decided(match);
  return svg('svg', { viewBox: '-126 -126 252 252', class: 'medallion', 'aria-hidden': 'true' },
    ...(decided(match) ? [] : around),
    svg('circle', { class: 'medal-shadow', r: 96, cy: 4 }),
    svg('circle', { class: 'medal', r: 96 }),
    svg('circle', { fill: 'url(#shine)', r: 96 }),
    svg('circle', { class: 'medal-mark', r: 84 }),
    svg('text', { class: `total digits-${Math.min(total.length, 4)}${open ? ' open' : ''}`, y: open ? 20 : 34 }, total),
    open && svg('text', { class: 'range', y: 56 }, `${low}–${high}`));
}

const MOST_DRAWN = 6; // twenties as discs; more would not fit beside their number

function twenties(side, match) {
  const n = decided(match) ? side.match_twenties : side.twenties;
  if (n === null) return el('p.twenties.none', `${known(n)} × 20`);
  if (n === 0) return el('p.twenties.none', say('No twenties'));
  const discs = Array.from({ length: decided(match) || n > MOST_DRAWN ? 1 : n }, () => discIcon(side.id));
  return el('p.twenties', discs, el('span.count', `${n} × 20`));
}

/** The round's total in words, as a range while a close call is open. */
export const spokenTotal = ({ total, total_range: [low, high] }) => (low === high ? String(total)
  : say('{low} to {high}', { low, high }));

const LINE = 16; // letters of a name that fit on a line beside the score

function panel(side, match) {
  const shooting = side.shoots && !match.over;
  const { player } = match.round;
  const names = namesOf(side);
  const long = names.some(({ length }) => length > LINE);
  return [
    el('h2', discIcon(side.id), long || names.length > 1 ? el('span', { class: long ? 'full long' : 'full' }, names.map((name) => el('span', name))) : el('span', side.name)),
    !decided(match) && el('p.for-ears', say('{total} this round, {score} in the match', { total: spokenTotal(side), score: side.score })),
    medallion(side, match),
    !match.over && !match.manual && el('p.turn', shooting && el('span.shoots',
      player && player !== side.name ? say('{player} to shoot', { player }) : say('To shoot'))),
    twenties(side, match),
    !match.over && el('p.shots',
      !match.manual && el('span', sayMany('{n} shot left', '{n} shots left', side.shots_left)),
      side.hammer && el('span.hammer', hammerIcon(), el('span', say('Hammer')))),
  ];
}

/** Show the sides of a match, if any. */
export function showSides(match) {
  if (match) colour(match.sides);
  page.dataset.sides = match?.sides.length ?? 0;
  for (const id of 'ABCD') {
    const side = match?.sides.find((one) => one.id === id);
    const node = byId(`side-${id}`);
    node.classList.toggle('its-turn', Boolean(side?.shoots && !match.over));
    node.classList.toggle('won', Boolean(side && match.winner === id));
    refresh(node, side ? [side, match.over, match.manual, match.round.player] : null, () => (side ? panel(side, match) : []));
  }
}
