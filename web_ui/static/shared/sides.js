// The sides: a plate for each with its name, its score in its disc, its twenties, shots left, hammer and total.

import { discShape } from './board.js';
import { byId, each, el, page, refresh, svg, withId } from './dom.js';
import { AND, known, say, sayMany } from './words.js';

/** The colour of text that can be read on a disc of this colour. */
function inkOn(swatch) {
  const [r, g, b] = [1, 3, 5].map((i) => (parseInt(swatch.slice(i, i + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25 ? '#1d1611' : '#fdf6ea';
}

/** Give the page, or a part of it, the sides' colours. */
export function colour(sides, { style } = page) {
  for (const side of sides) {
    if (!side.swatch) continue; // of a colour that is not known here
    style.setProperty(`--${side.id}`, side.swatch);
    style.setProperty(`--${side.id}-ink`, inkOn(side.swatch));
  }
}

export const hammerIcon = () => svg('svg.icon', { viewBox: '0 0 24 24', role: 'img', 'aria-label': say('Hammer') },
  svg('path', { d: 'M1 3h3v6H1zM6 3h11q4 0 6 5l-6-1v3h-3v12h-4V10H6z' }));

/** Whether to show the final score instead of the last round's total; a practice has no match score. */
const decided = ({ over, sides }) => over && sides.length > 1;

/** A side's big figure: the score of a finished match, the twenties of a practice of twenties, else the round's total. */
export const reached = (side, match) => (decided(match) ? side.score : match.format.kind === 'twenties' ? side.twenties : side.total);

/** The names of a side, each for a line of its own: a pair's are its partners'. */
export function namesOf({ name, seats, players = seats.map(({ player }) => player) }) {
  if (players.join(AND) === name) return players;
  return players.length > 1 ? name.split(AND) : [name]; // the seats are unknown
}

/** The side's disc, with its score in the match if there is one. */
export const medal = (id, figure = '') => svg('svg.medal', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true' },
  figure ? [svg('circle.face', { r: 48 }), svg('circle.rim', { r: 41 }), svg('text', { y: 19, class: figure.length > 2 && 'long' }, figure)] : discShape(id, 48));

/** The round's total in words, as a range while a close call is open. */
export const spokenTotal = ({ total, total_range: [low, high] }) => (low === high ? String(total)
  : say('{low} to {high}', { low, high }));

export const roundOf = (round) => (round.of ? say('Round {number} of {of}', round) : say('Round {number}', round));

/** A round's result; `figure(side)`: its points, or what it was worth. */
export function roundWon({ sides }, round, figure) {
  const most = Math.max(...sides.map(figure));
  const [best, ...others] = sides.filter((side) => figure(side) === most);
  return others.length ? say('Round {round} is level.', { round })
    : sayMany('{name} wins round {round}.', '{name} win round {round}.', best.seats.length, { name: best.name, round });
}

const LINE = 26; // letters of a name that fit on a line
const LEAST = 5; // points between neighbouring totals
const LAST = 3; // finished rounds beside the running one

/** By hand, the last rounds: each with its total and what it was worth. */
const played = (side, { rounds }) => rounds.slice(-LAST).map(({ totals, awarded }) => {
  const gain = awarded[side.id];
  const won = Object.values(awarded).filter((one) => one >= gain).length === 1;
  return el('p.played', { class: won && 'best' },
    el('b', totals[side.id] ?? '–'), el('span', gain && `+${gain}`));
});

function panel(side, match) {
  const ended = decided(match);
  const names = namesOf(side);
  const total = String(reached(side, match));
  const [low, high] = side.total_range;
  const open = low !== high && match.format.kind !== 'twenties' && !ended;
  const size = open ? 'range' : total.length > 2 && 'long';
  return [
    el('h2', { class: names.some(({ length }) => length > LINE) && 'long' }, each('span', names)),
    !ended && el('p.for-ears', say('{total} this round, {score} in the match', { total: spokenTotal(side), score: side.score })),
    medal(side.id, ended || match.sides.length === 1 ? '' : String(side.score)),
    el('p.figures', el('b.twenties', `${known(ended ? side.match_twenties : side.twenties)} × 20`),
      !match.over && !match.manual && el('span.shots', sayMany('{n} left', '{n} left', side.shots_left)),
      side.hammer && !match.over && hammerIcon()),
    match.manual && played(side, match),
    el('p.total', { class: size, 'aria-hidden': !ended && 'true' }, open ? [low, el('small', high - low === LEAST ? [' ', say('or'), ' '] : '–'), high] : total),
  ];
}

/** Show the sides of a match, if any. */
export function showSides(match) {
  if (match) colour(match.sides);
  page.dataset.sides = match?.sides.length ?? 0;
  page.toggleAttribute('data-many', match?.sides.length > 2);
  for (const id of 'ABCD') {
    const side = withId(match?.sides, id);
    const node = byId(`side-${id}`);
    node.classList.toggle('lit', Boolean(side?.shoots && !match.over && !match.manual)); // by hand nobody knows
    node.classList.toggle('won', match?.winner === id);
    refresh(node, () => side && panel(side, match));
  }
}
