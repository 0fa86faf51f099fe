// Scoring by hand, with a pad for each side. Each touch is sent at once, for everybody to see; at the round's end both
// sides agree to the totals that they see. For matches without a referee.

import { each, el, page, put, refresh, withId } from '../shared/dom.js';
import { discIcon } from '../shared/board.js';
import { namesOf, roundWon } from '../shared/sides.js';
import { command, mayScore } from '../shared/commands.js';
import { attempt, button, closeSheet, emptySheet, onDemand, openSheet, refuse } from '../shared/forms.js';
import { send } from '../shared/scorer.js';
import { dropTap, onTaps, sendTaps, stuck, tap, tapped } from './taps.js';
import { say } from '../shared/words.js';

const RINGS = [15, 10, 5];
const REST = 1000; // milliseconds without touches after an agreement

export const openClocks = onDemand(() => import('../shared/clocks.js'), 'openClocks');
const agreement = el('div.agreement'); // on the sheet
let state = null;
let shown = null; // the figures on the sheet, to which both sides agree
let resting = false;
let ending = false; // whether this phone is ending the round
let won; // the winner on the sheet: undefined if the totals decide, null if level
const takenBack = new Set(); // counts being undone, until the state without them arrives

const waits = (side) => tapped().filter((one) => one.what === 'count' && one.side === side.id);
const counted = (side) => side.twenties + side.counted.filter(({ points }) => points !== 20).length + waits(side).length;
const times = (discs, points) => discs.filter((one) => one.points === points).length;
const lastCounted = ({ counted: discs }) => discs.findLast(({ id }) => !takenBack.has(id));
const count = (side, points) => tap('count', { match: state.match.id, round: state.match.round.number, side: side.id, points });

function takeBack(side) {
  if (dropTap((what, values) => what === 'count' && values.side === side.id)) return null;
  const last = lastCounted(side);
  if (last) {
    takenBack.add(last.id);
    return tap('undo', { match: state.match.id, event: last.id });
  }
  return side.twenties > 0 && !side.counted.length
    ? send('correct_round', { round: state.match.round.number, twenties: { [side.id]: side.twenties - 1 } }) : null;
}

function figures({ id, sides, round }) {
  const of = (member) => Object.fromEntries(sides.map((side) => [side.id, side[member]]));
  return { match: id, round: round.number, totals: of('by_hand'), twenties: of('twenties') };
}

/** Whether only the round's winner matters (2, 1 and 0) and none but twenties were counted, so that nobody has to count discs. */
const byWins = ({ sides, format, round }) => sides.length === 2 && ['rounds', 'race'].includes(format.kind) && !round.shots
  && !sides.some((side) => side.counted.some(({ points }) => points !== 20));

/** The present totals or the winner; `before`: the sheet's earlier figures, if others have changed them since. */
function agreed(winner, before = null) {
  const { sides } = state.match;
  shown = figures(state.match);
  won = winner;
  const { totals, ...known } = shown;
  const counts = winner === undefined;
  const was = (side) => before && before.totals[side.id] !== side.by_hand && el('s', before.totals[side.id]);
  const over = async () => {
    ending = true;
    ending = await attempt(async () => {
      await (counts ? command('agree', { ...known, totals }) : command('win_round', { ...known, winner }));
      closeSheet();
      resting = true; // under the button lie keys
      setTimeout(() => { resting = false; draw(); }, REST);
      draw();
    });
    showAgreement(state.match);
  };
  const figure = (side) => (counts ? side.by_hand : side.id === winner ? say('won') : winner === null ? say('level') : '');
  const agree = before ? el('button', { onclick: () => agreed(winner) }, say('Go on with these totals'))
    : el('button.main', { onclick: over }, sides.length > 1 ? say('Both agree') : say('The round is over'));
  put(agreement,
    before && el('p.meanwhile', { role: 'alert' }, say('The round has changed in the meantime.')),
    sides.map((side) => el('p.agreed', discIcon(side.id), el('span', side.name),
      el('small', [20, ...RINGS].map((points) => [points, points === 20 ? side.twenties : times(side.counted, points)])
        .filter(([points, n]) => n || (points === 20 && (counts || sides.some(({ twenties }) => twenties)))).map(([points, n]) => `${n}\u00a0×\u00a0${points}`).join('  ')), was(side), el('b', figure(side)))),
    counts && sides.length > 1 && el('p.line', el('span', roundWon(state.match, shown.round, (side) => side.by_hand)), el('b', sides.map((side) => side.score_by_hand).join(' – '))),
    agree, el('button.quiet', { onclick: closeSheet }, say('Count again')));
}

function openAgreement(winner) {
  ending = false;
  agreed(winner);
  openSheet(state.match.sides.length > 1 ? say('Do you both agree?') : say('Is that right?'), agreement);
}

/** Update the sheet of the agreement, so that nobody agrees to figures that others have changed. */
function showAgreement(match) {
  if (!agreement.isConnected || !agreement.closest('dialog').open) return;
  if (ending) return;
  if (!match || match.over || match.id !== shown.match || match.round.number !== shown.round) emptySheet(say('Another phone was faster: this round is no longer being played.'));
  else if (JSON.stringify(figures(match)) !== JSON.stringify(shown)) agreed(byWins(match) ? won : undefined, shown);
}

/** What one more step back takes back: points, or nothing. */
const newest = (side) => waits(side).at(-1)?.points ?? lastCounted(side)?.points ?? (side.twenties && !side.counted.length ? 20 : null);

function pad(side) {
  const full = counted(side) >= side.discs;
  const last = newest(side);
  const key = (points, times) => button([el('b', points), times > 0 && el('span', `× ${times}`)], () => count(side, points), points === 20 ? 'twenty' : `ring of-${points}`,
    points === 20 ? say('One twenty more for {name}', side) : say('{points} more for {name}', { points, name: side.name }), full || resting);
  return el(`div.pad.side-${side.id}`,
    el('h2', discIcon(side.id), el('div', each('span', namesOf(side)))),
    el('p.sum', { class: waits(side).length > 0 && 'hollow', 'aria-live': 'polite' }, el('span.for-ears', `${side.name}: `), side.by_hand),
    button(['↶ ', last], () => takeBack(side), 'back', say('Take back the last of {name}', side), !last || resting),
    key(20, side.twenties),
    state.match.format.kind !== 'twenties' && RINGS.map((points) => key(points, times([...side.counted, ...waits(side)], points))),
    byWins(state.match) && button(say('won'), () => openAgreement(side.id), 'won', say('{name} has won the round', side), tapped().length > 0 || resting));
}

/** The clock of the round or match: a touch starts and stops it, or sets one if there is none. */
function clock({ match }) {
  const timer = match.timers.find(({ word }) => word !== 'ended');
  const running = timer?.word === 'running';
  const set = () => (timer ? send('set_timer', { timer: timer.timer, running: !running }) : openClocks(match));
  const words = timer ? (running ? say('Stop the clock') : say('Let the clock run')) : say('Clock');
  return button(timer ? (running ? '❚❚' : '▶') : words, set, 'clock', words);
}

/** Touches that have not reached the table yet. */
const unsent = ({ sides }) => tapped().map(({ points, side }) => [' ', el('span', points ? [discIcon(side),
  el('span.for-ears', withId(sides, side)?.name), ` +${points}`] : '⌫')]);

function draw() {
  const { match, status } = state;
  const byHand = Boolean(match && !match.over && mayScore() && (match.manual || status.word === 'no_camera'));
  const waiting = tapped().length > 0; // the totals still lack touches that were not sent
  if (byHand !== (page.dataset.pads === 'yes')) page.dataset.pads = byHand ? 'yes' : 'no'; // each write is looked at for buttons
  refresh('pads', () => byHand && [
    el('div.pads', match.sides.map(pad)),
    stuck && waiting && el('p.unsent', { role: 'status' }, say('Waiting for the table:'), unsent(match)),
    el('div.ends', el('button.main.over', { disabled: waiting || resting, onclick: () => openAgreement() }, say('Round over')),
      byWins(match) && el('button', { disabled: waiting, onclick: () => openAgreement(null) }, say('Level')), clock(state))]);
}

onTaps((refusal) => {
  if (refusal) { takenBack.clear(); refuse(refusal.message, refusal.offer); }
  draw();
});

/** Show the pads to the scorer of a match without a referee. */
export function showPads(newest) {
  state = newest;
  const now = new Set(state.match?.sides.flatMap(({ counted: discs }) => discs.map(({ id }) => id)));
  takenBack.forEach((id) => { if (!now.has(id)) takenBack.delete(id); }); // it may be redone, and undone again
  draw();
  showAgreement(state.match);
  sendTaps();
}
