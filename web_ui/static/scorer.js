// The scorer: the PIN, and the tools for a match that goes on. Commands go to the table; the state comes back by itself.

import { byId, el, page, refresh } from './dom.js';
import { discIcon } from './board.js';
import { command, enter, findSession, leave, mayScore } from './commands.js';
import { openRound } from './correct.js';
import { attempt, closeSheet, errorPlace, field, form, numberField, openSheet } from './forms.js';
import { openMenu } from './menu.js';
import { openStart } from './start.js';
import { say } from './words.js';

let state = null;
let redraw = () => {};

function sessionChanged() {
  page.dataset.scorer = mayScore() ? 'yes' : 'no';
  redraw();
}

/** Send commands one after another and close the sheet; without a session any more, ask for the PIN instead. */
export async function send(...commands) {
  try {
    for (const [what, values] of commands) await command(what, values);
    closeSheet();
  } finally {
    if (!mayScore()) sessionChanged();
  }
}

function openPin() {
  const pin = el('input', { inputmode: 'numeric', autocomplete: 'off', required: true, maxlength: 20, class: 'pin' });
  openSheet(say('Keep score'), form(say('Enter'), async () => {
    await enter(pin.value);
    sessionChanged();
    openTools();
  }, field(say('PIN'), pin), el('p', { class: 'hint' }, say("The table's screen shows it."))));
  pin.focus();
}

function openTools() {
  const { match, status } = state;
  const error = errorPlace();
  const tool = (label, action, hint) => el('button', { type: 'button', class: 'tool', onclick: action }, label,
    hint && el('small', {}, hint));
  const going = match && !match.over;
  const now = (what) => () => attempt(error, () => send([what]));
  openSheet(say('Scorer'),
    error,
    match?.can_undo && tool(say('Undo: {what}', { what: match.can_undo }), now('undo')),
    match?.can_redo && tool(say('Redo: {what}', { what: match.can_redo }), now('redo')),
    match && tool(say('Correct a round'), () => openRound(state, send)),
    going && tool(say('End the round'), openEndRound, say('Its totals count as they are now.')),
    match?.awaits_shoot_out && tool(say('Enter the shoot-out'), openShootOut),
    going && status.word !== 'paused' && tool(say('Pause refereeing'), now('pause')),
    going && ['paused', 'no_camera'].includes(status.word) && tool(say('Go on refereeing'), now('resume')), // the camera's loss hides the pause
    tool(say('Start a match'), () => openStart(state, send)),
    tool(say('Leave scoring'), () => attempt(error, () => leave().finally(sessionChanged).then(closeSheet))));
}

function openEndRound() {
  const totals = state.match.sides.map((side) => el('p', { class: 'line' }, discIcon(side.id), `${side.name}: ${side.total}`));
  openSheet(say('End the round'), totals, form(say('The round is over'), () => send(['end_round'])));
}

function openShootOut() {
  const fields = state.match.sides.map((side) => [side.id, numberField(say('Twenties of {name}', side), 0, 100)]);
  openSheet(say('Enter the shoot-out'), form(say('Save'), () => send(['shoot_out', {
    twenties: Object.fromEntries(fields.map(([id, one]) => [id, one.value()])),
  }]), fields.map(([, one]) => one.element)));
}

/** Two big answers to a question. */
export function answers(one) {
  const error = errorPlace();
  return el('div', { class: 'answers' }, one.answers.map((answer) => el('button', {
    type: 'button', class: 'main',
    onclick: () => attempt(error, () => send(['answer', { question: one.id, answer: answer.id }])),
  }, answer.text, answer.effect && el('small', {}, answer.effect))), error);
}

/** Show the tools of whoever may use them. */
export function showScorer(newest) {
  state = newest;
  const { match } = state;
  refresh(byId('tools'), [mayScore(), match?.can_undo, Boolean(match)], () => {
    const menu = el('button', { type: 'button', class: 'quiet', onclick: openMenu }, say('Menu'));
    if (!mayScore()) return [el('button', { type: 'button', onclick: openPin }, say('Keep score')), menu];
    const error = errorPlace();
    const undo = () => attempt(error, () => send(['undo']));
    return [
      error,
      match?.can_undo && el('button', { type: 'button', title: match.can_undo, onclick: undo }, say('Undo')),
      match ? el('button', { type: 'button', onclick: openTools }, say('Scorer'))
        : el('button', { type: 'button', class: 'main', onclick: () => openStart(state, send) }, say('Start a match')),
      menu,
    ];
  });
}

/** Find out who looks; `show` draws the page anew when that changes. */
export function scorerReady(show) {
  redraw = show;
  findSession().then(sessionChanged, () => {});
}
