// The score and everything around the board. Shows the state and computes nothing itself.

import { byId, el, page, refresh, table } from '../shared/dom.js';
import { discIcon } from '../shared/board.js';
import { reached, roundOf, roundWon, showSides } from '../shared/sides.js';
import { joined, say, scoresOf } from '../shared/words.js';

// Words of the table's status, which say so only while it referees.
const BLIND = ['covered', 'light_changed', 'camera_moved', 'no_camera'];
const MOVING = ['hand', 'moving'];
const SIGHT = ['camera', 'camera_frozen', 'light', 'obstructed']; // kinds of notices
const onTv = page.dataset.page === 'tv';

/** A practising player's result: of the round, and of all rounds. */
function practised({ sides: [side], round, format, over, manual }) {
  const shot = manual ? side.discs : side.discs - side.shots_left;
  return el('p.caption', joined([format.kind === 'twenties' && say('{twenties} of {shot}', { twenties: side.twenties, shot }),
    round.of > 1 && roundOf(round), round.of > 1 && (over || round.number > 1) && say('in all {score}', { score: side.score })]));
}

const head = ({ rounds, manual }) => el('p.heads', { 'aria-hidden': 'true' }, el('span', say('Match')),
  manual && [rounds.slice(-3).map(({ number }) => el('span.played', number)), el('span', say('This round'))]);

function score(match, name) {
  if (!match) return onTv ? el('p', name) : [];
  if (match.sides.length === 1) return practised(match);
  return [
    el('p.for-ears', say('Match score: {score}', { score: scoresOf(match, ', ') })),
    el('p.points', { 'aria-hidden': 'true' }, match.sides.map((side) => side.score).join(' – ')),
    el('p.caption', roundOf(match.round)),
    head(match),
  ];
}

/** The table's latest revision, shown until two more shots; the first of them may have come with it. */
const amended = (match) => match.amended.filter((one) => one.after >= match.round.shots - 1).slice(-1);

const note = (kind) => ({ text }) => el(`p.note.${kind}`, text);

/** What is newer than the call. */
const notes = (match) => [
  amended(match).map(note('amended')),
  match.timers.filter(({ text }) => text).map(note('time-up')),
  match.conduct.filter(({ after }) => after === match.round.shots).slice(-1).map(note('conduct')),
];

/** The call: its words and side. */
function called(match, status) {
  if (match.over) return { text: match.next_step };
  const { round, rounds, sides, last_call: last } = match;
  if (round.end) return { text: roundWon(match, round.number, ({ total }) => total) };
  if (status.word === 'moving') return {};
  if (last) return { text: last.text, side: last.side, why: last.why.join(' ') };
  const before = rounds.at(-1);
  return before && sides.length > 1 ? { text: roundWon(match, before.number, ({ id }) => before.awarded[id]) } : {};
}

const acts = ({ discs, strangers, uncleared, round, manual }, { word }) => word === 'paused' || round.end
  || (!manual && (uncleared || strangers.length > 0 || discs.some(({ remove }) => remove) || !round.to_shoot));

/** The notice that says why the table sees nothing. */
const blinded = ({ match, status, notices }) => (match && BLIND.includes(status.word) ? notices.find(({ kind }) => SIGHT.includes(kind)) : null);

/** What to do next: [its lamp, words]. An open question has a line of its own. */
function todo(state) {
  const { match, status } = state;
  const { word, text } = status;
  if (match.over) return null;
  if (BLIND.includes(word)) return ['bad', blinded(state)?.text ?? text];
  if (match.questions.some((one) => one.pressing)) return onTv ? ['act', say("Look closely, then answer on any scorer's phone.")] : null;
  if (MOVING.includes(word)) return ['wait', say('Wait')];
  return [acts(match, status) ? 'act' : 'good', match.next_step];
}

const SHORT = [16, 28]; // letters of a call in the two largest sizes
const LONG = 44; // letters of what to do that are shown smaller

/** A line with a lamp, which says what to do. */
const lamp = (kind, text, attributes = {}) => el(`p.next.${kind}`, attributes, el('i.lamp'), el('span', text));

const words = (text, side = null) => el('p.words', { class: text.length <= SHORT[0] ? 'shortest' : text.length <= SHORT[1] && 'short' }, side && discIcon(side), el('span', text));

/** The call: its words and side, the reason for those who listen, notes, what to do next. */
function call(state) {
  const { match, status, club } = state;
  if (onTv && club?.next && !(match && !match.over) && page.dataset.moment !== 'end') return null;
  if (!match) return words(status.word === 'no_camera' ? say('No match') : onTv ? say('Free: scan to start') : status.text); // a notice says that
  const { text, side, why } = called(match, status);
  const next = todo(state);
  return [text && words(text, side), why && el('p.for-ears', why), notes(match), next && lamp(next[0], next[1], { class: next[1].length > LONG && 'long' })];
}

/** The club's next match, or its withdrawal of the running one. */
const wanted = ({ next, taken_back: takenBack }) => [
  takenBack && lamp('act.taken-back', takenBack),
  next && (onTv ? lamp('good.assigned', next.details) : el('p.assigned', next.text, el('small', next.details))),
];

/** A side's possible totals of a finished round with open questions. */
function open({ ranges }, { id }) {
  const [low, high] = ranges?.[id] ?? [0, 0];
  return low !== high && { low, high };
}

const gain = ({ awarded }, { id }) => (awarded[id] ? `+${awarded[id]}` : '');

function rounds(match) {
  if (!match?.rounds.length) return [];
  const row = (side) => el('tr',
    el('th', { scope: 'row' }, discIcon(side.id), el('span.for-ears', side.name)),
    match.rounds.map((round) => el('td', { class: round.corrected && 'corrected' },
      el('b', round.totals[side.id] ?? (gain(round, side) || '–'), open(round, side) && '?'),
      el('small', round.totals[side.id] !== null && gain(round, side)),
      open(round, side) && el('span.for-ears', say('{low} to {high}', open(round, side))),
      round.corrected && el('span.for-ears', say('corrected')))));
  return table([say('Round'), ...match.rounds.map((round) => round.number)], match.sides.map(row));
}

/** Show the state without the board and the scorer's parts. */
export function showScore(state) {
  const { match, status, table: { name, simulated } } = state;
  page.dataset.match = match ? (match.over ? 'over' : 'yes') : 'no';
  page.dataset.status = status.word;
  page.toggleAttribute('data-between', !match || match.over);
  page.toggleAttribute('data-hand', Boolean(match?.manual && !match.over));
  refresh(document.querySelector('title'), () => (match ? `${match.sides.map((side) => reached(side, match)).join(' – ')} · ${name}` : name));
  refresh('table', () => [name, simulated && el('small', say('simulated'))]);
  if (page.dataset.moment !== 'twenty') showSides(match); // the score moves after it
  refresh('score', () => score(match, name));
  refresh('call', () => call(state));
  refresh('club', () => state.club && wanted(state.club));
  refresh('situation', () => match?.situation);
  const lines = byId('rounds');
  const filled = lines && refresh(lines, () => rounds(match), [match?.rounds, match?.sides.map(({ name }) => name)]); // many cells
  if (filled) lines.scrollLeft = lines.scrollWidth; // the newest round
  refresh('notices', () => state.notices.filter((one) => one !== blinded(state)).map(({ text }) => el('p', text)));
}
