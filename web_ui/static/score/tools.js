// The scorer's tools on the phone: the bar under the thumb, and the sheet with all actions.

import { byId, el, page, refresh } from '../shared/dom.js';
import { discIcon } from '../shared/board.js';
import { agreementTools, judged } from '../shared/agreements.js';
import { getFile, getJson, mayScore } from '../shared/commands.js';
import { attempt, download, form, numberField, onDemand, openSheet } from '../shared/forms.js';
import { byVideo } from '../shared/awake.js';
import { keepEntryCode } from '../shared/entry_code.js';
import { openInbox } from './inbox.js';
import { changeLine, openPin, send, stopScoring } from '../shared/scorer.js';
import { say } from '../shared/words.js';

const openRound = onDemand(() => import('./correct.js'), 'openRound');
const openMenu = onDemand(() => import('./menu.js'), 'openMenu');
const openClocks = onDemand(() => import('../shared/clocks.js'), 'openClocks');
const openConduct = onDemand(() => import('./conduct.js'), 'openConduct');
const openStart = onDemand(() => import('./start.js'), 'openStart');
const openRematch = onDemand(() => import('./start.js'), 'openRematch');
const highestTotal = (side) => 20 * side.discs; // all in the hole

let state = null;

/** One field for each side, and their values. */
function sideFigures(label, value, most, step) {
  const fields = state.match.sides.map((side) => [side.id, numberField(label(side), value(side), most, step)]);
  const values = () => Object.fromEntries(fields.map(([id, one]) => [id, one.value()]).filter(([, one]) => one !== null));
  return { elements: fields.map(([, one]) => one.element), values };
}

const twentiesOf = (side) => say('Twenties of {name}', { name: side.name });
const totalOf = (side) => say('Total of {name}', { name: side.name });

function openEndRound() {
  const totals = state.match.sides.map((side) => el('p.line', discIcon(side.id), `${side.name}: ${side.total}`));
  openSheet(say('End the round'), totals, form(say('The round is over'), () => send(['end_round'])));
}

function openEnterRound() {
  const totals = sideFigures(totalOf, (side) => side.total, highestTotal(state.match.sides[0]), 5);
  const recorded = state.match.round.shots > 0 || state.match.sides.some((side) => side.twenties > 0);
  const twenties = sideFigures(twentiesOf, (side) => (recorded ? side.twenties : null), state.match.sides[0].discs);
  openSheet(say('Enter the round'), form(say('The round is over'), () => send(['enter_round', {
    totals: totals.values(), twenties: twenties.values(),
  }]), el('p.hint', say('The totals include the twenties.')), totals.elements, twenties.elements,
  !recorded && el('p.hint', say('Leave the twenties empty where they were not counted.'))));
}

function openShootOut() {
  const twenties = sideFigures(twentiesOf, () => 0, 100);
  openSheet(say('Enter the shoot-out'), form(say('Save'), () => send(['shoot_out', { twenties: twenties.values() }]), twenties.elements));
}

function openAutomatic() {
  const left = sideFigures((side) => say('Shots left: {name}', { name: side.name }), (side) => side.shots_left, state.match.sides[0].discs);
  openSheet(say('Let the table keep the score'), form(say('Take over'), () => send(['automatic', { left: left.values() }]),
    el('p.hint', say('The discs count as they lie on the board now.')), left.elements));
}

async function openChanges() {
  const place = el('div', { 'aria-live': 'polite' }, say('One moment …'));
  openSheet(say('Who changed what'), place);
  await attempt(async () => {
    const { changes } = await getJson(`/api/v1/matches/${state.match.id}`);
    place.replaceChildren(changes.length ? el('ul.changes', changes.map(changeLine).reverse())
      : el('p', say('Nothing was changed by hand.')));
  });
}

/** Add a shot that the table missed; its place is tapped on the board. */
function openMissed() {
  const { match } = state;
  const { id: side, name } = match.sides.find((one) => one.id === match.round.to_shoot);
  const button = (label, at) => el('button', { class: 'tool', onclick: () => attempt(() => send(['add_shot', { side, at }])) }, label);
  openSheet(say('A shot of {name} that was missed', { name }),
    el('p.hint', say('Where a disc lies on the board, close this and tap its place.')),
    button(say('It is a twenty'), 'hole'), button(say('It went off the board'), 'ditch'));
}

const assigned = () => ['start', state.club.next.start];

const undo = ({ can_undo: what, undo_asks: asks }) => (asks ? openSheet(say('Undo: {what}', { what }), form(say('Undo'), () => send(['undo'])))
  : attempt(() => send(['undo'])));

function openKeepRound() {
  const { id, round: { number } } = state.match;
  const save = (round) => attempt(async () => download(await getFile(`/api/round-${round}.zip`), `match-${id}-round-${round}.zip`));
  openSheet(say('Keep this round'),
    el('p', say('One file, for whoever should see how the table read a round: its pictures at rest, black beyond the rail, the paths of the discs, and what people say of each shot. No names, no sound. The table sends it nowhere.')),
    [number, number - 1].filter(Boolean).map((round) => el('button', { class: 'tool', onclick: () => save(round) }, say('Round {n}', { n: round }))));
}

/** The possible actions: [label, action, hint]. */
function tools({ match, status, club, notices }, now) {
  const going = match && !match.over;
  const alone = match?.sides.length === 1; // a practice, without an opponent to agree with
  const paused = ['paused', 'no_camera'].includes(status.word); // the word for a lost camera may hide a pause
  return [
    match?.can_undo && [say('Undo: {what}', { what: match.can_undo }), () => undo(match)],
    match?.can_redo && [say('Redo: {what}', { what: match.can_redo }), now('redo')],
    going && match.uncleared && [say('The board is clear'), now('confirm'), say('From now on, each disc that comes onto it is a shot.')],
    match?.questions.length > 0 && [say('Questions'), () => openInbox(match)],
    going && !match.manual && match.round.to_shoot && [say('Add a shot that was missed'), openMissed],
    ...(going && !match.manual && !alone ? agreementTools(match, now) : []),
    going && !alone && [say('Call a player for conduct'), () => openConduct(match, send), say('Left the chair, touched the board, and the like.')],
    match && [say('Correct a shot'), () => location.assign(`/review/${match.id}`)],
    match && [say('Correct a round'), () => openRound(match, send)],
    going && !match.manual && [say('End the round'), openEndRound, say('Its totals count as they are now.')],
    going && !match.manual && !alone && [say('Time ran out'), now('time_out'), say('A side with fewer shots has one more; else the round ends.')],
    going && [say('Clocks'), () => openClocks(match, send)],
    going && [say('Enter the round'), openEnterRound, say('Its totals, counted by hand.')],
    going && !match.round.to_shoot && [say('Enter the shoot-out'), openShootOut],
    going && !match.manual && status.word !== 'paused' && [say('Pause refereeing'), now('pause')],
    going && !match.manual && paused && [say('Go on refereeing'), now('resume')],
    going && !match.manual && [say('Turn the drawn board'), now('turn_seats', { quarters: 1 }), say('If the side drawn at the bottom is not where you sit.')],
    going && !match.manual && [say('Score by hand'), now('manual'), say('The camera no longer changes anything.')],
    going && match.manual && !notices.some(({ kind }) => kind === 'camera') && [say('Let the table keep the score'), openAutomatic],
    match && [say('Keep this round'), openKeepRound, say('As a test of the table: what it saw, and what people say.')],
    match && [say('Who changed what'), openChanges],
    club?.next && [say('Begin the assigned match'), now(...assigned()), going && say('This ends the match that is going on.')],
    [say('Start a match'), () => openStart(state, send)],
  ].filter(Boolean);
}

function openEntryCode() {
  const image = el('img', { alt: say('Code that lets one phone keep score') });
  openSheet(say('Let another phone keep score'), el('figure.join', image, el('figcaption', say('Scan it with the other phone. It works once.'))));
  keepEntryCode(image);
}

function openTools() {
  const now = (what, how) => () => attempt(() => send([what, how]));
  const tool = ([label, action, hint = '']) => el('button', { class: 'tool', onclick: action }, label, hint && el('small', hint));
  openSheet(say('Scorer'), byVideo() && el('p.hint', say('A silent video keeps this screen on. The menu switches it off.')), tools(state, now).map(tool), tool([say('Let another phone keep score'), openEntryCode]), tool([say('Leave scoring'), () => attempt(stopScoring)]));
}

function bar({ match, club }) {
  const menu = el('button', { class: 'quiet', onclick: () => openMenu(match) }, say('Menu'));
  const keep = el('button', { onclick: () => openPin(openTools) }, say('Keep score'));
  const begin = el('button', { class: 'main', onclick: () => openPin(() => openStart(state, send)) }, say('Start a match'));
  if (!mayScore()) return [!match && begin, keep, menu];
  const button = (label, action, main) => el('button', { class: main ? 'main' : '', onclick: action }, label);
  return [
    match?.can_undo && el('button', { class: 'undo', onclick: () => undo(match) },
      say('Undo'), el('small', match.can_undo)),
    club?.next && (!match || match.over) && button(say('Begin'), () => attempt(() => send(assigned())), true),
    match?.over && !club?.next && button(say('Rematch'), () => openRematch(match, send), true),
    !match && button(say('Start a match'), () => openStart(state, send), !club?.next),
    match && button(say('Scorer'), openTools),
    match && judged(match) && el('button', { 'aria-label': judged(match).words, onclick: () => attempt(() => send(judged(match).command)) }, judged(match).label), // not beside the undo
    menu,
  ];
}

/** Show the tools, if this browser may score. */
export function showTools(newest) {
  state = newest;
  const { match, club } = state;
  refresh(byId('tools'), [mayScore(), club?.next, match?.id, match?.can_undo, match?.undo_asks, match?.manual, match?.over, match?.last_call], () => bar(state));
}

// The page's content ends above the bar, whatever its height.
new ResizeObserver(() => page.style.setProperty('--tools', `${byId('tools').offsetHeight}px`)).observe(byId('tools'));
