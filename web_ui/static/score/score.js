// The score and everything around the board. Shows the state and computes nothing itself.

import { byId, el, page, refresh } from '../shared/dom.js';
import { discIcon } from '../shared/board.js';
import { reached, showSides } from '../shared/sides.js';
import { millimetres, say, sayMany } from '../shared/words.js';

const STATUS = {
  ready: say('Ready'),
  hand: say('Hand'),
  moving: say('Moving'),
  check: say('Check'),
  covered: say('Covered'),
  light_changed: say('Light changed'),
  camera_moved: say('Camera moved'),
  no_camera: say('No camera'),
  no_match: say('No match'),
  paused: say('Paused'),
  manual: say('By hand'),
  over: say('Over'),
};

/** A practising player's result: of the round, and of all rounds. */
function practised({ sides: [side], round: { number, of }, format, over, manual }) {
  const shot = manual ? side.discs : side.discs - side.shots_left;
  return [
    el('p.figures', format.kind === 'twenties' ? say('{twenties} of {shot}', { twenties: side.twenties, shot }) : String(side.total)),
    el('p.caption', of > 1 ? [say('Round {number} of {of}', { number, of }), ' · ', over || number > 1 ? say('in all {score}', { score: side.score }) : ''] : !manual && sayMany('{n} shot left', '{n} shots left', side.shots_left)),
  ];
}

function score(match) {
  if (!match) return [];
  const { number, of } = match.round;
  if (match.sides.length === 1) return practised(match);
  const figure = (side, i) => (match.sides.length > 2 ? el('span', discIcon(side.id), side.score)
    : [i > 0 && el('i', '–'), el('span', side.score)]);
  return [
    el('p.for-ears', say('Match score: {score}', { score: match.sides.map((side) => `${side.name} ${side.score}`).join(', ') })),
    el('p', { class: 'figures', 'aria-hidden': 'true' }, match.sides.map(figure)),
    el('p.caption', of ? say('Round {number} of {of}', { number, of }) : say('Round {number}', { number })),
  ];
}

/** The table's latest revision, shown until two more shots; the first of them may have come with it. */
const amended = (match) => match.amended.filter((one) => one.after >= match.round.shots - 1).slice(-1);

const SHORT = 30; // letters that are shown large

function call(match, status) {
  if (!match) return el('p.words', status.word === 'no_camera' ? STATUS.no_match : status.text); // a notice says that
  if (match.over) return el('p', { class: match.next_step.length > SHORT ? 'words' : 'words result' }, match.next_step);
  const last = match.last_call;
  return [
    last && el('p', { class: last.valid === false ? 'words foul' : 'words' }, last.text),
    last?.named.length > 0 && el('p.why', last.why.join(' ')),
    amended(match).map((one) => el('p.amended', one.text)),
    match.timers.filter((one) => one.text).map((one) => el('p.time-up', one.text)),
    match.conduct.filter((one) => one.after === match.round.shots).slice(-1).map((one) => el('p.conduct', one.text)),
    el('p.next', match.next_step),
  ];
}

/** The club's next match, or its withdrawal of the running one. */
const wanted = ({ next, taken_back: takenBack }) => [
  takenBack && el('p.taken-back', takenBack),
  next && el('p.assigned', next.text, el('small', next.details)),
];

/** A side's possible totals of a finished round with open questions. */
function open({ ranges }, { id }) {
  const [low, high] = ranges?.[id] ?? [0, 0];
  return low !== high && { low, high };
}

const gain = ({ awarded }, { id }) => (awarded?.[id] ? `+${awarded[id]}` : '');

function rounds(match, most) {
  if (!match?.rounds.length) return [];
  const newest = match.rounds.slice(-most);
  const row = (side) => el('tr',
    el('th', { scope: 'row' }, discIcon(side.id), el('span.for-ears', side.name)),
    newest.map((round) => el('td', { class: round.corrected ? 'corrected' : '' },
      el('b', round.totals[side.id] ?? (gain(round, side) || '–'), open(round, side) && '?'),
      el('small', round.totals[side.id] !== null && gain(round, side)),
      open(round, side) && el('span.for-ears', say('{low} to {high}', open(round, side))),
      round.corrected && el('span.for-ears', say('corrected')))),
    el('td.sum', el('b', side.score)));
  return [el('table',
    el('thead', el('tr',
      el('th', { scope: 'col' }, el('span.for-ears', say('Rounds'))),
      newest.map((round) => el('th', { scope: 'col' }, round.number)),
      el('th', { scope: 'col' }, el('span.for-ears', say('Match')), el('span', { 'aria-hidden': 'true' }, '=')))),
    el('tbody', match.sides.map(row)))];
}

/** Show the state without the board and the scorer's parts, with at most this many rounds, the newest. */
export function showScore(state, most = Infinity) {
  const { match, status, table } = state;
  page.dataset.match = match ? (match.over ? 'over' : 'yes') : 'no';
  page.dataset.status = status.word;
  document.title = match ? `${match.sides.map((side) => reached(side, match)).join(' – ')} · ${table.name}` : table.name;
  refresh(byId('table'), table, () => [table.name, table.simulated && el('small', say('simulated'))]);
  refresh(byId('status'), status, () => el('span', { class: 'pill', title: status.text },
    el('i.lamp'), STATUS[status.word] ?? status.text));
  showSides(match);
  refresh(byId('score'), match && [match.sides, match.round], () => score(match));
  refresh(byId('call'), [match?.last_call, match?.amended, match?.round.shots, match?.conduct, match?.timers, match?.next_step, match?.over, !match && status], () => call(match, status));
  refresh(byId('club'), [state.club, !match || match.over], () => state.club && wanted(state.club));
  refresh(byId('situation'), match?.situation, () => match?.situation);
  const lines = byId('rounds');
  const scores = match?.sides.map(({ id, name, score: points }) => [id, name, points]);
  const filled = refresh(lines, [match?.rounds, scores, most], () => rounds(match, most));
  if (filled) lines.scrollLeft = lines.scrollWidth; // the newest round
  refresh(byId('notices'), state.notices, () => state.notices.map((notice) => el('p', notice.text)));
}

/** The distance of a disc in question from its line, in words; empty for other questions. */
export const distance = (question) => (question.clearance === null || question.clearance === undefined ? ''
  : say('{mm} mm, give or take {sigma} mm', { mm: millimetres(question.clearance), sigma: millimetres(question.sigma) }));
