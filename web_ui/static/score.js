// The score and all that stands around the board. Shows the state; computes nothing of it.

import { byId, el, hasText, millimetres, refresh, svg, text } from './dom.js';
import { discIcon } from './board.js';

const page = document.documentElement;

/** Ink that reads on a disc of this colour. */
function inkOn(swatch) {
  const [r, g, b] = [1, 3, 5].map((i) => (parseInt(swatch.slice(i, i + 2), 16) / 255) ** 2.2);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b > 0.25 ? '#1d1611' : '#fdf6ea';
}

/** Give the page the sides' colours. */
function colour(sides) {
  for (const side of sides) {
    if (!/^#[0-9a-f]{6}$/i.test(side.swatch)) continue;
    page.style.setProperty(`--${side.id}`, side.swatch);
    page.style.setProperty(`--${side.id}-ink`, inkOn(side.swatch));
  }
}

const hammerIcon = () => svg('svg', { viewBox: '0 0 24 24', class: 'icon', 'aria-hidden': 'true' },
  svg('path', { d: 'M4 8.5 12.5 3l4 6.2-8.5 5.6zM13 10.5l8 11-2.6 1.9-8.2-10.8z' }));

/** The side's big disc: this round's total on it, around it the discs still to be shot. */
function medallion(side) {
  const around = [];
  for (let i = 0; i < side.discs; i++) {
    const angle = (2 * Math.PI * i) / side.discs - Math.PI / 2;
    const left = i < side.shots_left;
    const place = { cx: 114 * Math.cos(angle), cy: 114 * Math.sin(angle), r: left ? 8.5 : 6 };
    around.push(svg('circle', { ...place, class: left ? 'left' : 'played' }));
  }
  const total = String(side.total);
  const [low, high] = side.total_range;
  const open = low !== high;
  return svg('svg', { viewBox: '-126 -126 252 252', class: 'medallion', 'aria-hidden': 'true' },
    ...around,
    svg('circle', { class: 'medal-shadow', r: 96, cy: 4 }),
    svg('circle', { class: 'medal', r: 96 }),
    svg('circle', { fill: 'url(#shine)', r: 96 }),
    svg('circle', { class: 'medal-mark', r: 84 }),
    svg('text', { class: `total digits-${Math.min(total.length, 4)}${open ? ' open' : ''}`, y: open ? 20 : 34 }, total),
    open && svg('text', { class: 'range', y: 56 }, text('range', { low, high })));
}

function twenties(side) {
  if (side.twenties === 0) return el('p', { class: 'twenties none' }, text('no_twenties'));
  const discs = Array.from({ length: Math.min(side.twenties, 6) }, () => discIcon(side.id));
  return el('p', { class: 'twenties', 'aria-label': `${text('twenties')}: ${side.twenties}` },
    discs, el('span', { class: 'count', 'aria-hidden': 'true' }, `${side.twenties} × 20`));
}

function showSide(side, { over, winner }) {
  const panel = byId(`side-${side.id}`);
  panel.classList.toggle('its-turn', side.shoots && !over);
  panel.classList.toggle('won', winner === side.id);
  refresh(panel, [side, over], () => [
    el('h2', {}, discIcon(side.id), el('span', {}, side.name)),
    el('p', { class: 'for-ears' }, text('total_label', side)),
    medallion(side),
    !over && el('p', { class: 'turn' }, side.shoots && el('span', { class: 'shoots' }, text('to_shoot'))),
    twenties(side),
    !over && el('p', { class: 'shots' },
      el('span', {}, text(side.shots_left === 1 ? 'shot_left' : 'shots_left', { n: side.shots_left })),
      side.hammer && el('span', { class: 'hammer', title: text('hammer') }, hammerIcon(), el('span', {}, text('hammer')))),
  ]);
}

function score(match) {
  if (!match) return [];
  const [a, b] = match.sides;
  const { number, of } = match.round;
  return [
    el('p', { class: 'figures', 'aria-label': `${text('match_score')}: ${a.score} – ${b.score}` },
      el('span', {}, a.score), el('i', {}, '–'), el('span', {}, b.score)),
    el('p', { class: 'caption', title: match.format_text }, text(of ? 'round_of' : 'round', { number, of })),
  ];
}

function call(match, status) {
  if (!match) return el('p', { class: 'words' }, status.text);
  if (match.over) return el('p', { class: 'words' }, match.next_step);
  const last = match.last_call;
  return [
    el('p', { class: last?.valid === false ? 'words foul' : 'words' }, last?.text),
    el('p', { class: 'next' }, match.next_step),
  ];
}

function rounds(match) {
  if (!match?.rounds.length) return [];
  const row = (side) => el('tr', {},
    el('th', { scope: 'row' }, discIcon(side.id), el('span', { class: 'for-ears' }, side.name)),
    match.rounds.map((round) => el('td', { class: round.corrected ? 'corrected' : '', title: round.corrected ? text('corrected') : null },
      el('b', {}, round.totals[side.id]),
      el('small', {}, round.awarded?.[side.id] ? `+${round.awarded[side.id]}` : ''))),
    el('td', { class: 'sum' }, el('b', {}, side.score)));
  return [el('table', {},
    el('thead', {}, el('tr', {},
      el('th', { scope: 'col' }, el('span', { class: 'for-ears' }, text('rounds'))),
      match.rounds.map((round) => el('th', { scope: 'col' }, round.number)),
      el('th', { scope: 'col' }, '='))),
    el('tbody', {}, match.sides.map(row)))];
}

/** Show all of the state but the board and what only the scorer sees. */
export function showScore(state) {
  const { match, status, table } = state;
  page.dataset.match = match ? 'yes' : 'no';
  page.dataset.status = status.word;
  document.title = match ? `${match.sides[0].total} – ${match.sides[1].total} · ${table.name}` : table.name;
  refresh(byId('table'), table, () => [table.name, table.simulated && el('small', {}, text('simulated'))]);
  refresh(byId('status'), status, () => el('span', { class: 'pill', title: status.text },
    el('i', { class: 'lamp' }), hasText(`status_${status.word}`) ? text(`status_${status.word}`) : status.text));
  if (match) {
    colour(match.sides);
    for (const side of match.sides) showSide(side, match);
  } else for (const id of ['A', 'B']) refresh(byId(`side-${id}`), null, () => []);
  refresh(byId('score'), match && [match.sides, match.round, match.format_text], () => score(match));
  refresh(byId('call'), [match?.last_call, match?.next_step, match?.over, !match && status.text], () => call(match, status));
  const lines = byId('rounds');
  const scores = match?.sides.map(({ id, name, score: points }) => [id, name, points]);
  const filled = refresh(lines, [match?.rounds, scores], () => rounds(match));
  if (filled) lines.scrollLeft = lines.scrollWidth; // the newest round
  refresh(byId('notices'), state.notices, () => state.notices.map((notice) => el('p', {}, notice.text)));
}

/** How far from its line a disc in question is, in words; empty for questions of another kind. */
export const distance = (question) => (question.clearance === null || question.clearance === undefined ? ''
  : text('millimetres_sigma', { mm: millimetres(question.clearance), sigma: millimetres(question.sigma) }));
