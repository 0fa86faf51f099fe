// The scorer's tools on the phone: the bar under the thumb, and the sheet with six tools. Each is also where its thing is
// shown: a touch of the call, a plate, a round or what to do opens the same.

import { byId, el, page, refresh, withId } from '../shared/dom.js';
import { tapped } from '../shared/board.js';
import { mayScore } from '../shared/commands.js';
import { button, offers, onDemand, openForm, openSheet, tool } from '../shared/forms.js';
import { correctsLast, openPin, send, sends } from '../shared/scorer.js';
import { say } from '../shared/words.js';

const correct = (name, ...values) => onDemand(() => import('./correct.js'), name)(...values);
const openMenu = onDemand(() => import('./menu.js'), 'openMenu');
export const openClocks = onDemand(() => import('../shared/clocks.js'), 'openClocks');
const openConduct = onDemand(() => import('./conduct.js'), 'openConduct');
const openStart = onDemand(() => import('./start.js'), 'openStart');

let state = null;

const start = () => openStart(state);

function undo() {
  const { can_undo: what, undo_asks: asks } = state.match;
  return asks ? openForm(say('Undo: {what}', { what }), say('Undo'), sends('undo')) : send('undo');
}

/** The same match again, begun by the other side. */
function rematch({ rules, format, doubles, manual, round, rounds, sides }) {
  const began = rounds[0]?.starter ?? round.starter;
  const { id: starter, seats: [{ seat, player }] } = sides[(sides.findIndex((side) => side.id === began) + 1) % sides.length];
  const seats = Object.fromEntries(sides.flatMap((side) => side.seats.map((one) => [one.seat, one.player])));
  return button([say('Rematch'), sides.length > 1 && el('small', say('{name} begins.', { name: player }))],
    sends('start', { rules, format, discs: sides[0].discs, doubles, manual, sides: sides.map(({ name, colour }) => ({ name, colour })), seats, starter, seat }), 'main');
}

/** The round that was touched; by default the newest. */
const roundAt = (touched) => state.match.rounds[touched?.closest('td, thead th:not(:first-child)')?.cellIndex - 1]?.number;

/** The tools: [name, where their thing is shown, label, what for, action on what was touched]. */
function tools({ match }) {
  const going = match && !match.over;
  const byCamera = going && !match.manual;
  return [
    match?.can_redo ? ['undo', '', say('Redo'), match.can_redo, sends('redo')]
      : match?.can_undo && ['undo', '', say('Undo'), match.can_undo, undo],
    match && ['shot', '#call .words', say('Correct a shot'), say('A shot was missed, or called wrongly'),
      () => (byCamera ? correct('openShot', match) : location.assign(`/review/${match.id}`))],
    match && ['round', '#score .caption, #rounds', say('Correct a round'), say('Its totals and twenties, or end it now'), (touched) => correct('openRound', match, {}, roundAt(touched))],
    going && ['clock', '', say('Clock'), say('Set it, pause it, or time ran out'), () => openClocks(match)],
    going && match.sides.length > 1 && ['call', '.side', say('Call a player'), say('Left the chair, touched the board'),
      (touched) => openConduct(match, touched?.closest('.side').dataset.side)],
    going && ['match', '#table, #score .points, #call .next', say('Match and camera'), say('Pause, score by hand, another match'), () => correct('openMatch', state, start)],
    !going && ['start', '', say('Start a match'), say('Other players, or other rules'), start],
  ].filter(Boolean);
}

const toolOf = ([, , label, why, action]) => tool(label, () => action(), why);

function openTools() {
  const { match } = state;
  openSheet(say('Tools'), el('div.tools', { class: (match?.can_undo ?? match?.can_redo) && 'acts' }, tools(state).map(toolOf)));
}

/** Handle a touch of a disc on the board. */
export function touchDisc(id) {
  const disc = withId(state.match?.discs, id);
  if (disc) correct('openDisc', byId('board'), disc, state.match);
}

offers.next = () => due(state);
for (const name of ['undo', 'shot', 'round', 'clock']) offers[name] = () => tools(state).filter(([one]) => one === name).map(toolOf);

function touchBoard(match, event) {
  const at = match.over ? null : tapped(byId('board').querySelector('svg'), event);
  if (at === 'hole') correct('openHole', match);
  else if (at) correct('openPlace', match, at);
}

document.querySelector('main').addEventListener('click', (event) => {
  const { target } = event;
  if (!(target instanceof Element) || !mayScore() || !state.match || target.closest('button, #pads')) return;
  if (target.closest('#board')) touchBoard(state.match, event);
  else tools(state).find(([, where]) => where && target.closest(where))?.[4](target);
});

/** What people have to say before the match goes on, or the next begins. */
function due({ match, status, club }) {
  if (!match || match.over) return club?.next ? button(say('Begin'), sends('start', club.next.start), 'main') : match ? rematch(match) : button(say('Start a match'), start, 'main');
  const { uncleared, manual, round } = match;
  if (status.word === 'paused') return button(say('Go on refereeing'), sends('resume'), 'main');
  if (uncleared && !manual) return button(say('The board is clear'), sends('confirm'), 'main');
  return round.to_shoot || round.end ? null : button(say('Shoot-out'), () => correct('openShootOut', match), 'main');
}

/** The bar's buttons. */
function bar({ match, club }) {
  const menu = button(say('Menu'), () => openMenu(state), 'quiet');
  if (!mayScore()) return [!match && button(say('Start a match'), () => openPin(start), 'main'), button(say('Keep score'), () => openPin(openTools)), menu];
  const verdict = !match?.manual && match?.last_call?.corrections.find(({ reverses }) => reverses); // another touch undoes it
  return [
    match?.can_undo && button([say('Undo'), el('small', match.can_undo)], undo, 'undo'),
    (!match || match.over) && due(state),
    !match && club?.next && button(say('Start a match'), start),
    match && button(say('Tools'), openTools),
    match && !match.over && (due(state) // not beside the undo
      ?? (verdict && button(match.last_call.valid ? say('Foul') : say('Valid'), correctsLast(match, verdict.command), '', verdict.text))),
    menu,
  ];
}

/** Show the tools, if this browser may score. */
export function showTools(newest) {
  state = newest;
  refresh('tools', () => bar(state));
}

// The page's content ends above the bar, whatever its height.
new ResizeObserver(() => page.style.setProperty('--tools', `${byId('tools').offsetHeight}px`)).observe(byId('tools'));
