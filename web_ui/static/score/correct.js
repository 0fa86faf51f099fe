// Corrections: a disc by tapping it, a shot, a round's figures, how the match is scored; of this match or an earlier one.

import { agreementTools } from '../shared/agreements.js';
import { el } from '../shared/dom.js';
import { discIcon, discWords, placeOf, zoneName } from '../shared/board.js';
import { attempt, button, closeSheet, field, form, numberField, openSheet, select, tool } from '../shared/forms.js';
import { say, sayMany } from '../shared/words.js';

const highestTotal = (side) => 20 * side.discs; // all in the hole
const mostPoints = (match, side) => (match.format.kind === 'points' ? highestTotal(side) : 2);
const shooterOf = ({ sides, round }) => sides.find(({ id }) => id === round.to_shoot);
const ZONES = [20, 15, 10, 5, 0];

/** The rings, the likeliest first: the one that was read, then the one across the nearest line, then the others. */
function ringsByLikelihood(disc) {
  const across = ZONES[ZONES.indexOf(disc.zone) + (disc.clearance > 0 ? 1 : -1)];
  return [...new Set([disc.zone, across, ...ZONES])].filter((zone) => zone !== undefined);
}

/** Ask where a disc really is. `where`: a shot and its match; by default the present board. */
export function openDisc(board, disc, match, send, where = {}) {
  const correct = (values) => send(['correct_disc', { disc: disc.id, ...values, ...where }]);
  const answer = (zone, label, kind) => button(label, () => correct({ zone }), kind);
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

/** Correct the figures of any round of a match, or end the running one with them. `number`: by default the newest. */
export function openRound(match, send, where = {}, number = null) {
  const running = match.round && !match.over ? match.round.number : null;
  const names = match.rounds.map((round) => [String(round.number), String(round.number)]);
  if (running) names.push([String(running), say('{number}, going on', { number: running })]);
  const which = select(names.reverse(), number && String(number));
  const fields = el('div');
  let rows = [];
  const finished = () => Number(which.value) !== running;
  const fill = () => {
    rows = match.sides.map((side) => rowOf(match, side, match.rounds.find((one) => one.number === Number(which.value))));
    fields.replaceChildren(...rows.flatMap((row) => [row.total.element, row.twenties.element, row.points?.element ?? '']),
      finished() ? '' : button(say('The round is over'), () => send(...ending(match, rows)), 'main'));
    element.lastChild.classList.toggle('main', finished());
  };
  const element = form(say('Save'), async () => {
    const commands = changes(Number(which.value), rows, finished()).map(([what, values]) => [what, { ...values, ...where }]);
    if (!commands.length) throw new Error(say('Nothing was changed.'));
    rows.forEach(refuseImpossible);
    await send(...commands);
  }, field(say('Round'), which), fields);
  which.addEventListener('change', fill);
  fill();
  openSheet(say('Correct a round'), element);
}

const rowOf = (match, side, round) => ({
  side,
  total: numberField(say('Total of {name}', { name: side.name }), round ? round.totals[side.id] : side.total, highestTotal(side), 5),
  twenties: numberField(say('Twenties of {name}', { name: side.name }), round ? round.twenties[side.id] : match.round?.shots || side.twenties ? side.twenties : null, side.discs),
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

const of = (rows, which) => Object.fromEntries(rows.map((row) => [row.side.id, row[which].value()]));
const changed = (rows, which) => rows.some((row) => row[which]?.changed());

/** The commands that change a round to the form's figures; the totals of one that is not over follow from its discs. */
function changes(number, rows, finished) {
  const commands = rows.filter(({ twenties }) => twenties.changed()).map(({ side, twenties }) => (
    ['correct_twenties', { round: number, side: side.id, value: twenties.value() }]));
  if (!changed(rows, 'total')) { /* they stay */ } else if (!finished) throw new Error(say('Its totals count when the round is over.'));
  else if (rows.some((row) => row.total.value() === null)) throw new Error(say('Enter the totals of all sides, or of none.'));
  else commands.push(['correct_round', { round: number, totals: of(rows, 'total') }]);
  if (changed(rows, 'points')) commands.push(['award', { round: number, points: of(rows, 'points') }]);
  return commands;
}

/** The commands that end the running round with the form's figures. */
function ending(match, rows) {
  if (!match.manual && !changed(rows, 'total')) return [...changes(match.round.number, rows, false), ['end_round']];
  const twenties = Object.fromEntries(Object.entries(of(rows, 'twenties')).filter(([, value]) => value !== null));
  return [['enter_round', { totals: of(rows, 'total'), twenties }]];
}

/** A field for each side, and their values. */
function perSide(match, label, value, most) {
  const rows = match.sides.map((side) => ({ side, one: numberField(label(side), value(side), most) }));
  return { elements: rows.map(({ one }) => one.element), values: () => of(rows, 'one') };
}

export function openShootOut(match, send) {
  const twenties = perSide(match, ({ name }) => say('Twenties of {name}', { name }), () => 0, 100);
  openSheet(say('Enter the shoot-out'), form(say('Save'), () => send(['shoot_out', { twenties: twenties.values() }]), twenties.elements));
}

/** Correct the last shot, or add one that the table missed; its place is tapped on the board. */
export function openShot(match, send) {
  const shooter = shooterOf(match);
  const missed = (name, at) => tool(name, () => send(['add_shot', { side: shooter.id, at }]));
  openSheet(say('Correct a shot'),
    agreementTools(match, send),
    shooter && [el('h3', say('A shot of {name} that was missed', { name: shooter.name })),
      el('p.hint', say('Where a disc lies on the board, close this and tap its place.')),
      missed(say('It is a twenty'), 'hole'), missed(say('It went off the board'), 'ditch')],
    tool(say('Look at the shots'), () => location.assign(`/review/${match.id}`), say('Each with its board, to correct it there.')));
}

/** How this match is scored, and its end for another one; `start` opens the form for that. */
export function openMatch({ match, status, club, notices }, send, start) {
  const ends = say('This ends the match that is going on.');
  const now = (name, why, ...command) => tool(name, () => send(command), why);
  const paused = ['paused', 'no_camera'].includes(status.word); // the word for a lost camera may hide a pause
  const left = perSide(match, ({ name }) => say('Shots left: {name}', { name }), (side) => side.shots_left, match.sides[0].discs);
  openSheet(say('Match and camera'), match.manual ? !notices.some(({ kind }) => kind === 'camera') && form(say('Let the table keep the score'),
    () => send(['automatic', { left: left.values() }]), el('p.hint', say('The discs count as they lie on the board now.')), left.elements) : [
    paused && now(say('Go on refereeing'), '', 'resume'),
    status.word !== 'paused' && now(say('Pause refereeing'), '', 'pause'),
    now(say('Score by hand'), say('The camera no longer changes anything.'), 'manual'),
    now(say('Turn the drawn board'), say('If the side drawn at the bottom is not where you sit.'), 'turn_seats', { quarters: 1 })],
  club?.next && now(say('Begin the assigned match'), ends, 'start', club.next.start),
  tool(say('Start a match'), start, ends));
}

/** Handle a tap on a free place: there is a disc of a missed shot, or one that the table shows as off the board. */
export function openPlace(match, at, send) {
  const act = (label, kind, command) => button(label, () => send(command), kind);
  const shooter = shooterOf(match);
  openSheet(say('Which disc lies here?'),
    shooter && act(say('A shot of {name} that was missed', { name: shooter.name }), 'main', ['add_shot', { side: shooter.id, at }]),
    (match.off ?? []).map((disc) => act(disc.name, 'tool', ['correct_disc', { disc: disc.id, at }])),
    !shooter && !match.off?.length && el('p', say('Every disc of this round lies on the board already.')));
}

/** Handle a tap on the hole: a twenty was missed, or counted wrongly. */
export function openHole(match, send) {
  const act = (label, kind, command) => button(label, () => send(command), kind);
  const shooter = shooterOf(match);
  const set = (side, value) => ['correct_twenties', { round: match.round.number, side: side.id, value }];
  openSheet(say('Twenties'),
    shooter && !match.manual && act(say('{name} has shot a twenty', { name: shooter.name }), 'main', ['add_shot', { side: shooter.id, at: 'hole' }]),
    match.sides.map((side) => el('div.field',
      el('p.line', discIcon(side.id), `${side.name}: ${side.twenties} × 20`),
      el('div.steps',
        side.twenties > 0 && button('−', () => send(set(side, side.twenties - 1)), '', say('One twenty less for {name}', { name: side.name })),
        button('+', () => send(set(side, side.twenties + 1)), '', say('One twenty more for {name}', { name: side.name }))))));
}
