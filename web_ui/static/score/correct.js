// Corrections: a disc by tapping it, a shot, a round's figures, how the match is scored; of this match or an earlier one.

import { agreementTools } from '../shared/agreements.js';
import { el, put, withId } from '../shared/dom.js';
import { discIcon, discWords, placeOf, zoneName } from '../shared/board.js';
import { attempt, button, closeSheet, field, form, numberField, openForm, openSheet, select, tool } from '../shared/forms.js';
import { send } from '../shared/scorer.js';
import { say } from '../shared/words.js';

const highestTotal = (side) => 20 * side.discs; // all in the hole
const mostPoints = (match, side) => (match.format.kind === 'points' ? highestTotal(side) : 2);
const shooterOf = ({ sides, round }) => withId(sides, round.to_shoot);
const ZONES = [20, 15, 10, 5, 0];

/** The rings, the likeliest first: the one that was read, then the one across the nearest line, then the others. */
function ringsByLikelihood(disc) {
  const across = ZONES[ZONES.indexOf(disc.zone) + (disc.clearance > 0 ? 1 : -1)];
  return [...new Set([disc.zone, across, ...ZONES])].filter((zone) => zone !== undefined);
}

/** Ask where a disc really is. `where`: a shot and its match; by default the present board. */
export function openDisc(board, disc, match, where = {}) {
  const correct = (values) => send('correct_disc', { disc: disc.id, ...values, ...where });
  const answer = (zone, label, kind) => button(label, () => correct({ zone }), kind);
  const [first, second, ...others] = ringsByLikelihood(disc);
  const elsewhere = button(say('It lies elsewhere'), () => { closeSheet(); tapPlace(board, (at) => correct({ at })); });
  openSheet(say('Where is this disc?'),
    el('p.line', discIcon(disc.side), discWords(disc, match)),
    el('p.hint', say('It counts as {zone} now. Touching a line counts as beyond it.', { zone: zoneName(disc.zone) })),
    el('div.answers', answer(first, zoneName(first), 'main'), answer(second, zoneName(second), 'main')),
    el('div.answers.small', others.map((zone) => answer(zone, zoneName(zone), '')),
      answer('remove', say('Not on the board'), ''), elsewhere));
}

/** Use the next tap on the board as a disc's place. */
function tapPlace(board, then) {
  const hint = el('p.tap-hint', { role: 'status' }, say('Tap the place on the board.'));
  const drawn = board.querySelector('svg');
  board.append(hint);
  drawn.addEventListener('click', (event) => {
    event.stopPropagation();
    hint.remove();
    attempt(() => then(placeOf(drawn, event)));
  }, { capture: true, once: true });
}

/** Correct the figures of any round of a match, or end the running one with them. `number`: by default the newest. */
export function openRound(match, where = {}, number = null) {
  const running = match.round && !match.over ? match.round.number : null;
  const names = match.rounds.map((round) => [String(round.number), String(round.number)]);
  if (running) names.push([String(running), say('{number}, going on', { number: running })]);
  const which = select(names.reverse(), number && String(number), { onchange: () => fill() });
  const fields = el('div');
  let rows = [];
  const finished = () => Number(which.value) !== running;
  const fill = () => {
    rows = match.sides.map((side) => rowOf(match, side, match.rounds.find((one) => one.number === Number(which.value))));
    put(fields, rows.map((row) => [row.total.element, row.twenties.element, row.points?.element]),
      !finished() && button(say('The round is over'), () => send('end_round', figures(rows, match.manual || undefined)), 'main'));
    element.lastChild.classList.toggle('main', finished());
  };
  const element = form(say('Save'), async () => {
    const points = changed(rows, 'points').length ? of(rows, 'points') : {};
    await send('correct_round', { round: Number(which.value), ...figures(rows), points, ...where });
  }, field(say('Round'), which), fields);
  fill();
  openSheet(say('Correct a round'), element);
}

const rowOf = (match, side, round) => ({
  side,
  total: numberField(say('Total of {name}', side), round ? round.totals[side.id] : side.total, highestTotal(side), 5),
  twenties: numberField(say('Twenties of {name}', side), round ? round.twenties[side.id] : match.round?.shots || side.twenties ? side.twenties : null, side.discs),
  points: round && numberField(say('Match points of {name}', side), round.awarded?.[side.id] ?? 0, mostPoints(match, side)),
});

const of = (rows, which) => Object.fromEntries(rows.map((row) => [row.side.id, row[which]?.value()]).filter(([, value]) => (value ?? null) !== null));
const changed = (rows, which) => rows.filter((row) => row[which]?.changed());

/** The form's totals, with all twenties, if they count; else the twenties that were changed. */
const figures = (rows, counted = changed(rows, 'total').length > 0) => (counted
  ? { totals: of(rows, 'total'), twenties: of(rows, 'twenties') } : { twenties: of(changed(rows, 'twenties'), 'twenties') });

/** A field for each side, and their values. */
function perSide(match, label, value, most) {
  const rows = match.sides.map((side) => ({ side, one: numberField(label(side), value(side), most) }));
  return { elements: rows.map(({ one }) => one.element), values: () => of(rows, 'one') };
}

export function openShootOut(match) {
  const twenties = perSide(match, (side) => say('Twenties of {name}', side), () => 0, 100);
  openForm(say('Enter the shoot-out'), say('Save'), () => send('shoot_out', { twenties: twenties.values() }), twenties.elements);
}

/** Correct the last shot, or add one that the table missed; its place is tapped on the board. */
export function openShot(match) {
  const shooter = shooterOf(match);
  const missed = (name, at) => tool(name, () => send('add_shot', { side: shooter.id, at }));
  openSheet(say('Correct a shot'),
    agreementTools(match),
    shooter && [el('h3', say('A shot of {name} that was missed', shooter)),
      el('p.hint', say('Where a disc lies on the board, close this and tap its place.')),
      missed(say('It is a twenty'), 'hole'), missed(say('It went off the board'), 'ditch')],
    tool(say('Look at the shots'), () => location.assign(`/review/${match.id}`), say('Each with its board, to correct it there.')));
}

/** How this match is scored, and its end for another one; `start` opens the form for that. */
export function openMatch({ match, status, club, notices }, start) {
  const ends = say('This ends the match that is going on.');
  const now = (name, why, ...command) => tool(name, () => send(...command), why);
  const paused = ['paused', 'no_camera'].includes(status.word); // the word for a lost camera may hide a pause
  const left = perSide(match, (side) => say('Shots left: {name}', side), (side) => side.shots_left, match.sides[0].discs);
  openSheet(say('Match and camera'), match.manual ? !notices.some(({ kind }) => kind === 'camera') && form(say('Let the table keep the score'),
    () => send('automatic', { left: left.values() }), el('p.hint', say('The discs count as they lie on the board now.')), left.elements) : [
    paused && now(say('Go on refereeing'), '', 'resume'),
    status.word !== 'paused' && now(say('Pause refereeing'), '', 'pause'),
    now(say('Score by hand'), say('The camera no longer changes anything.'), 'manual'),
    now(say('Turn the drawn board'), say('If the side drawn at the bottom is not where you sit.'), 'turn_seats', { quarters: 1 })],
  club?.next && now(say('Begin the assigned match'), ends, 'start', club.next.start),
  tool(say('Start a match'), start, ends));
}

/** Handle a tap on a free place: there is a disc of a missed shot, or one that the table shows as off the board. */
export function openPlace(match, at) {
  const shooter = shooterOf(match);
  openSheet(say('Which disc lies here?'),
    shooter && button(say('A shot of {name} that was missed', shooter), () => send('add_shot', { side: shooter.id, at }), 'main'),
    match.off?.map((disc) => button(disc.name, () => send('correct_disc', { disc: disc.id, at }), 'tool')),
    !shooter && !match.off?.length && el('p', say('Every disc of this round lies on the board already.')));
}

/** Handle a tap on the hole: a twenty was missed, or counted wrongly. */
export function openHole(match) {
  const shooter = shooterOf(match);
  const set = (side, value) => () => send('correct_round', { round: match.round.number, twenties: { [side.id]: value } });
  openSheet(say('Twenties'),
    shooter && !match.manual && button(say('{name} has shot a twenty', shooter), () => send('add_shot', { side: shooter.id, at: 'hole' }), 'main'),
    match.sides.map((side) => el('div.field',
      el('p.line', discIcon(side.id), `${side.name}: ${side.twenties} × 20`),
      el('div.steps',
        side.twenties > 0 && button('−', set(side, side.twenties - 1), '', say('One twenty less for {name}', side)),
        button('+', set(side, side.twenties + 1), '', say('One twenty more for {name}', side))))));
}
