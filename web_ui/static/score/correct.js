// Corrections: a disc by tapping it, a shot, a round's figures, how the match is scored; of this match or an earlier one.

import { el, put, withId } from '../shared/dom.js';
import { discIcon, discWords, placeOf, zoneName } from '../shared/board.js';
import { attempt, button, closeSheet, field, form, numberField, openForm, openSheet, select, tool, valuesOf } from '../shared/forms.js';
import { correctsLast, send, sends } from '../shared/scorer.js';
import { say } from '../shared/words.js';

const highestTotal = (side) => 20 * side.discs; // all in the hole
const mostPoints = (match, side) => (match.format.kind === 'points' ? highestTotal(side) : 2);
const shooterOf = ({ sides, round }) => withId(sides, round.to_shoot);
const addsShot = ({ id: side }, at) => sends('add_shot', { side, at });
const ZONES = [20, 15, 10, 5, 0];

/** The rings, the likeliest first: the one that was read, then the one across the nearest line, then the others. */
const ringsByLikelihood = ({ zone, clearance }) => new Set([zone, ZONES[ZONES.indexOf(zone) + (clearance > 0 ? 1 : -1)] ?? zone, ...ZONES]);

/** Ask where a disc really is. `where`: a shot and its match; by default the present board. */
export function openDisc(board, disc, match, where = {}) {
  const correct = (values) => send('correct_disc', { disc: disc.id, ...values, ...where });
  const answer = (zone, kind = '', label = zoneName(zone)) => button(label, () => correct({ zone }), kind);
  const [first, second, ...others] = ringsByLikelihood(disc);
  const elsewhere = button(say('It lies elsewhere'), () => { closeSheet(); tapPlace(board, (at) => correct({ at })); });
  openSheet(say('Where is this disc?'),
    el('p.line', discIcon(disc.side), discWords(disc, match)),
    el('p.hint', say('It counts as {zone} now. Touching a line counts as beyond it.', { zone: zoneName(disc.zone) })),
    el('div.answers', answer(first, 'main'), answer(second, 'main')),
    el('div.answers.small', others.map((zone) => answer(zone)), answer('remove', '', say('Not on the board')), elsewhere));
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
  const names = match.rounds.map((round) => [round.number, round.number]);
  if (running) names.push([running, say('{number}, going on', { number: running })]);
  const which = select(names.reverse(), number, { name: 'round', onchange: () => fill() });
  const fields = el('div');
  const fill = () => {
    const round = match.rounds.find((one) => String(one.number) === which.value);
    put(fields, match.sides.map((side) => fieldsOf(match, side, round)),
      !round && button(say('The round is over'), () => send('end_round', figures(fields, match.manual || undefined)), 'main'));
    element.lastChild.classList.toggle('main', Boolean(round));
  };
  const element = form(say('Save'), ({ round }) => send('correct_round', { round: Number(round), ...figures(fields),
    points: valuesOf(fields, differs).points ? valuesOf(fields, filled).points : {}, ...where }), field(say('Round'), which), fields);
  fill();
  openSheet(say('Correct a round'), element);
}

/** A side's figures: of a finished round, else of the running one. */
const fieldsOf = (match, side, round) => [
  numberField(`totals.${side.id}`, say('Total of {name}', side), round ? round.totals[side.id] : side.total, highestTotal(side), 5),
  numberField(`twenties.${side.id}`, say('Twenties of {name}', side), round ? round.twenties[side.id] : match.round?.shots || side.twenties ? side.twenties : null, side.discs),
  round && numberField(`points.${side.id}`, say('Match points of {name}', side), round.awarded?.[side.id] ?? 0, mostPoints(match, side)),
];

const filled = ({ value }) => value !== '';
const differs = ({ value, defaultValue }) => value !== defaultValue;

/** The form's totals, with all twenties, if they count; else the twenties that were changed. */
function figures(fields, counted = Boolean(valuesOf(fields, differs).totals)) {
  const { totals = {}, twenties = {} } = valuesOf(fields, (one) => filled(one) && (counted || differs(one)));
  return counted ? { totals, twenties } : { twenties };
}

export const openShootOut = (match) => openForm(say('Enter the shoot-out'), say('Save'), (twenties) => send('shoot_out', twenties),
  match.sides.map((side) => numberField(`twenties.${side.id}`, say('Twenties of {name}', side), 0, 100)));

/** Correct the last shot, or add one that the table missed; its place is tapped on the board. */
export function openShot(match) {
  const shooter = shooterOf(match);
  const missed = (name, at) => tool(name, addsShot(shooter, at));
  openSheet(say('Correct a shot'),
    match.last_call?.corrections.filter(({ command }) => command.agreed).map(({ text, command }) =>
      tool(text, correctsLast(match, command), say('The last shot. The verdict by the rules is shown beside it.'))),
    shooter && [el('h3', say('A shot of {name} that was missed', shooter)),
      el('p.hint', say('Where a disc lies on the board, close this and tap its place.')),
      missed(say('It is a twenty'), 'hole'), missed(say('It went off the board'), 'ditch')],
    tool(say('Look at the shots'), () => location.assign(`/review/${match.id}`), say('Each with its board, to correct it there.')));
}

/** How this match is scored, and its end for another one; `start` opens the form for that. */
export function openMatch({ match, status, club, notices }, start) {
  const ends = say('This ends the match that is going on.');
  const now = (name, why, ...command) => tool(name, sends(...command), why);
  const paused = ['paused', 'no_camera'].includes(status.word); // the word for a lost camera may hide a pause
  openSheet(say('Match and camera'), match.manual ? !notices.some(({ kind }) => kind === 'camera') && form(say('Let the table keep the score'),
    (left) => send('automatic', left), el('p.hint', say('The discs count as they lie on the board now.')),
    match.sides.map((side) => numberField(`left.${side.id}`, say('Shots left: {name}', side), side.shots_left, side.discs))) : [
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
    shooter && button(say('A shot of {name} that was missed', shooter), addsShot(shooter, at), 'main'),
    match.off?.map((disc) => button(disc.name, sends('correct_disc', { disc: disc.id, at }), 'tool')),
    !shooter && !match.off?.length && el('p', say('Every disc of this round lies on the board already.')));
}

/** Handle a tap on the hole: a twenty was missed, or counted wrongly. */
export function openHole(match) {
  const shooter = shooterOf(match);
  const set = (side, value) => sends('correct_round', { round: match.round.number, twenties: { [side.id]: value } });
  openSheet(say('Twenties'),
    shooter && !match.manual && button(say('{name} has shot a twenty', shooter), addsShot(shooter, 'hole'), 'main'),
    match.sides.map((side) => el('div.field',
      el('p.line', discIcon(side.id), `${side.name}: ${side.twenties} × 20`),
      el('div.steps',
        side.twenties > 0 && button('−', set(side, side.twenties - 1), '', say('One twenty less for {name}', side)),
        button('+', set(side, side.twenties + 1), '', say('One twenty more for {name}', side))))));
}
