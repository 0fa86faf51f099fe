// Corrections: a disc by tapping it, a shot, the twenties, totals and points of a round; of this match or an earlier one.

import { el } from '../shared/dom.js';
import { discIcon, discWords, placeOf, zoneName } from '../shared/board.js';
import { attempt, closeSheet, field, form, numberField, openSheet, select } from '../shared/forms.js';
import { say, sayMany } from '../shared/words.js';

/** A side's total with all its discs in the hole. */
export const highestTotal = (side) => 20 * side.discs;
const mostPoints = (match, side) => (match.format.kind === 'points' ? highestTotal(side) : 2);
const ZONES = [20, 15, 10, 5, 0];

/** The rings, the likeliest first: the one that was read, then the one across the nearest line, then the others. */
function ringsByLikelihood(disc) {
  const across = ZONES[ZONES.indexOf(disc.zone) + (disc.clearance > 0 ? 1 : -1)];
  return [...new Set([disc.zone, across, ...ZONES])].filter((zone) => zone !== undefined);
}

/** Ask where a disc really is. `where`: a shot and its match; by default the present board. */
export function openDisc(board, disc, match, send, where = {}) {
  const correct = (values) => send(['correct_disc', { disc: disc.id, ...values, ...where }]);
  const answer = (zone, label, kind) => el('button', { class: kind, onclick: () => attempt(() => correct({ zone })) }, label);
  const [first, second, ...others] = ringsByLikelihood(disc);
  const elsewhere = el('button', { onclick: () => { closeSheet(); tapPlace(board, (at) => correct({ at })); } }, say('It lies elsewhere'));
  openSheet(say('Where is this disc?'),
    el('p.line', discIcon(disc.side), discWords(disc, match)),
    el('p.hint', say('It counts as {zone} now. Touching a line counts as beyond it.', { zone: zoneName(disc.zone) })),
    el('div.answers', answer(first, zoneName(first), 'main'), answer(second, zoneName(second), 'main')),
    el('div.answers.small', others.map((zone) => answer(zone, zoneName(zone), '')),
      answer('remove', say('Not on the board'), ''), elsewhere));
}

/** Use the next tap on the board as a disc's place. */
function tapPlace(board, then) {
  const hint = el('p', { class: 'tap-hint', role: 'status' }, say('Tap the place on the board.'));
  const drawn = board.querySelector('svg');
  board.append(hint);
  drawn.addEventListener('click', (event) => {
    event.stopPropagation();
    hint.remove();
    attempt(() => then(placeOf(drawn, event)));
  }, { capture: true, once: true });
}

/** Correct the twenties and points of any round of a match, and the totals of a finished one. */
export function openRound(match, send, where = {}) {
  const finished = match.rounds.map((round) => [String(round.number), String(round.number)]);
  const going = match.round && !match.over ? [[String(match.round.number), say('{number}, going on', match.round)]] : [];
  const which = select([...finished, ...going].reverse());
  const fields = el('div');
  let read = () => [];
  let rows = [];
  const fill = () => {
    const round = match.rounds.find((one) => String(one.number) === which.value);
    rows = match.sides.map((side) => rowOf(match, side, round));
    fields.replaceChildren(
      ...rows.flatMap((row) => [row.total?.element ?? '', row.twenties.element, row.points?.element ?? '']),
      round ? '' : el('p.hint', say('Its totals follow from the discs: touch a disc on the board to correct it.')));
    read = () => changes(Number(which.value), rows).map(([what, values]) => [what, { ...values, ...where }]);
  };
  which.addEventListener('change', fill);
  fill();
  openSheet(say('Correct a round'), form(say('Save'), async () => {
    const commands = read();
    if (!commands.length) throw new Error(say('Nothing was changed.'));
    rows.forEach(refuseImpossible);
    await send(...commands);
  }, field(say('Round'), which), fields));
}

const rowOf = (match, side, round) => ({
  side,
  total: round && numberField(say('Total of {name}', { name: side.name }), round.totals[side.id], highestTotal(side), 5),
  twenties: numberField(say('Twenties of {name}', { name: side.name }), round ? round.twenties[side.id] : side.twenties, side.discs),
  points: round && numberField(say('Match points of {name}', { name: side.name }), round.awarded?.[side.id] ?? 0, mostPoints(match, side)),
});

/** Throw an error if a side's discs can't add up to this total with its twenties, as the table does for a round. */
function refuseImpossible({ side, total, twenties }) {
  if (!total?.changed() || twenties.value() === null) return;
  const n = twenties.value();
  const values = { name: side.name, total: total.value(), least: 20 * n, most: 20 * n + 15 * (side.discs - n) };
  if (values.total >= values.least && values.total <= values.most) return;
  throw new Error(sayMany('{name}: with {n} twenty the total is from {least} to {most}; {total} is not possible.',
    '{name}: with {n} twenties the total is from {least} to {most}; {total} is not possible.', n, values));
}

/** The commands that change a round to the form's figures. */
function changes(number, rows) {
  const commands = rows.filter(({ twenties }) => twenties.changed()).map(({ side, twenties }) => (
    ['correct_twenties', { round: number, side: side.id, value: twenties.value() }]));
  const all = (of) => Object.fromEntries(rows.map((row) => [row.side.id, row[of].value()]));
  if (rows.some(({ total }) => total?.changed() && rows.some((row) => row.total.value() === null))) throw new Error(say('Enter the totals of all sides, or of none.'));
  if (rows.some(({ total }) => total?.changed())) commands.push(['correct_round', { round: number, totals: all('total') }]);
  if (rows.some(({ points }) => points?.changed())) commands.push(['award', { round: number, points: all('points') }]);
  return commands;
}

/** Handle a tap on a free place: there is a disc of a missed shot, or one that the table shows as off the board. */
export function openPlace(match, at, send) {
  const button = (label, kind, command) => el('button', { class: kind, onclick: () => attempt(() => send(command)) }, label);
  const shooter = match.sides.find((side) => side.id === match.round.to_shoot);
  openSheet(say('Which disc lies here?'),
    shooter && button(say('A shot of {name} that was missed', { name: shooter.name }), 'main', ['add_shot', { side: shooter.id, at }]),
    (match.off ?? []).map((disc) => button(disc.name, 'tool', ['correct_disc', { disc: disc.id, at }])),
    !shooter && !match.off?.length && el('p', say('Every disc of this round lies on the board already.')));
}

/** Handle a tap on the hole: a twenty was missed, or counted wrongly. */
export function openHole(match, send) {
  const button = (label, kind, command) => el('button', { class: kind, onclick: () => attempt(() => send(command)) }, label);
  const shooter = match.sides.find((side) => side.id === match.round.to_shoot);
  const set = (side, value) => ['correct_twenties', { round: match.round.number, side: side.id, value }];
  openSheet(say('Twenties'),
    shooter && !match.manual && button(say('{name} has shot a twenty', { name: shooter.name }), 'main', ['add_shot', { side: shooter.id, at: 'hole' }]),
    match.sides.map((side) => el('div.field',
      el('p.line', discIcon(side.id), `${side.name}: ${side.twenties} × 20`),
      el('div.steps',
        side.twenties > 0 && el('button', { 'aria-label': say('One twenty less for {name}', { name: side.name }), onclick: () => attempt(() => send(set(side, side.twenties - 1))) }, '−'),
        el('button', { 'aria-label': say('One twenty more for {name}', { name: side.name }), onclick: () => attempt(() => send(set(side, side.twenties + 1))) }, '+')))));
}
