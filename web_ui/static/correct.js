// Corrections: a disc by tapping it, the twenties and totals of a round.

import { el } from './dom.js';
import { discIcon, discWords, zoneName } from './board.js';
import { attempt, errorPlace, field, form, numberField, openSheet, select } from './forms.js';
import { say } from './words.js';

const HIGHEST_TOTAL = 480; // 24 discs in the hole
const ZONES = [20, 15, 10, 5, 0];

/** The rings by likelihood: where the disc was read, then across the line that it is nearest to, then the others. */
function ringsByLikelihood(disc) {
  const across = ZONES[ZONES.indexOf(disc.zone) + (disc.clearance > 0 ? 1 : -1)];
  return [...new Set([disc.zone, across, ...ZONES])].filter((zone) => zone !== undefined);
}

/** Ask where a disc really is. */
export function openDisc(match, id, send) {
  const disc = match?.discs.find((one) => one.id === id);
  if (!disc) return;
  const error = errorPlace();
  const answer = (zone, label, kind) => el('button', {
    type: 'button', class: kind, onclick: () => attempt(error, () => send(['correct_disc', { disc: id, zone }])),
  }, label);
  const [first, second, ...others] = ringsByLikelihood(disc);
  openSheet(say('Where is this disc?'),
    el('p', { class: 'line' }, discIcon(disc.side), discWords(disc, match)),
    el('p', { class: 'hint' }, say('It counts as {zone} now. Touching a line counts as beyond it.', { zone: zoneName(disc.zone) })),
    el('div', { class: 'answers' }, answer(first, zoneName(first), 'main'), answer(second, zoneName(second), 'main')),
    el('div', { class: 'answers small' }, others.map((zone) => answer(zone, zoneName(zone), '')),
      answer('remove', say('Not on the board'), '')),
    error);
}

/** Correct the twenties of any round, and the totals of a finished one. */
export function openRound({ match }, send) {
  const finished = match.rounds.map((round) => [String(round.number), String(round.number)]);
  const going = match.over ? [] : [[String(match.round.number), say('{number}, going on', match.round)]];
  const which = select([...finished, ...going].reverse());
  const fields = el('div', {});
  let read = () => [];
  const fill = () => {
    const round = match.rounds.find((one) => String(one.number) === which.value);
    const rows = match.sides.map((side) => ({
      side,
      total: round && numberField(say('Total of {name}', side), round.totals[side.id], HIGHEST_TOTAL, 5),
      twenties: numberField(say('Twenties of {name}', side), round ? round.twenties[side.id] : side.twenties, side.discs),
    }));
    fields.replaceChildren(
      ...rows.flatMap((row) => [row.total?.element ?? '', row.twenties.element]),
      round ? '' : el('p', { class: 'hint' }, say('Its totals follow from the discs: touch a disc on the board to correct it.')));
    read = () => changes(Number(which.value), rows);
  };
  which.addEventListener('change', fill);
  fill();
  openSheet(say('Correct a round'), form(say('Save'), async () => {
    const commands = read();
    if (!commands.length) throw new Error(say('Nothing was changed.'));
    await send(...commands);
  }, field(say('Round'), which), fields));
}

/** The commands that turn a round into what the form says. */
function changes(number, rows) {
  const commands = rows.filter(({ twenties }) => twenties.changed()).map(({ side, twenties }) => (
    ['correct_twenties', { round: number, side: side.id, value: twenties.value() }]));
  if (rows.some(({ total }) => total?.changed())) {
    const totals = Object.fromEntries(rows.map(({ side, total }) => [side.id, total.value()]));
    commands.push(['correct_round', { round: number, totals }]);
  }
  return commands;
}
