// Saves matches as files: a table of rounds for a spreadsheet, and everything of one match as JSON.

import { ask } from './commands.js';
import { el } from './dom.js';
import { attempt } from './forms.js';
import { say } from './words.js';

const COLUMNS = ['day', 'match', 'rules', 'round', 'hammer', 'side', 'name', 'players', 'total', 'twenties', 'points', 'corrected', 'score', 'over', 'winner'];
const QUOTED = /[",\r\n]/;
const FORMULA = /^[=+\-@\t\r]/; // what a spreadsheet would carry out

function cell(value) {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const rowsOf = (match) => match.rounds.flatMap((round) => match.sides.map((side) => [
  match.day, match.id, match.rules, round.number, round.hammer === side.id ? 1 : 0, side.id, side.name, side.players.join(' & '),
  round.totals[side.id], round.twenties[side.id], round.awarded?.[side.id] ?? '', round.corrected ? 1 : 0,
  side.score, match.over ? 1 : 0, match.winner === side.id ? 1 : 0,
]));

/** Matches as comma-separated values: a line for each side of each round. */
export const csv = (matches) => `\ufeff${[COLUMNS, ...matches.flatMap(rowsOf)].map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;

function save(name, type, text) {
  const link = el('a', { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** The table gives long lists in parts: each names what to ask for next. */
async function inParts(path, name, take) {
  for (let next = ''; next !== null; ) {
    const part = await ask(`${path}${next}`);
    take(part);
    next = part.next ? `${path.includes('?') ? '&' : '?'}${name}=${part.next}` : null;
  }
}

async function wholeMatch(number) {
  let whole = null;
  await inParts(`/api/v1/matches/${number}`, 'after', (part) => { whole = whole ? { ...whole, shots: [...whole.shots, ...part.shots] } : part; });
  return whole;
}

/** The matches of a span of days, of one player or of all. */
async function matchesOf({ player, since, until }) {
  const found = [];
  await inParts('/api/v1/matches', 'before', ({ matches }) => found.push(...matches));
  return found.filter((one) => (!since || one.day >= since) && (!until || one.day <= until)
    && (!player || one.sides.some((side) => side.players.includes(player))));
}

const button = (label, error, action) => el('button', { type: 'button', class: 'no-print', onclick: () => attempt(error, action) }, label);

/** Buttons that save one match. */
export const saveMatch = (number, error) => [
  button(say('Table of its rounds (CSV)'), error, async () => save(`match-${number}.csv`, 'text/csv', csv([await wholeMatch(number)]))),
  button(say('Every shot (JSON)'), error, async () => save(`match-${number}.json`, 'application/json', JSON.stringify(await wholeMatch(number), null, 1))),
];

/** A button that saves the matches that are shown. */
export const saveMatches = (chosen, error) => button(say('Table of these matches (CSV)'), error,
  async () => save(['matches', chosen.since, chosen.until].filter(Boolean).join('-').concat('.csv'), 'text/csv', csv(await matchesOf(chosen))));
