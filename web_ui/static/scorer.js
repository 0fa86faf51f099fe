// What only the scorer sees: answers, tools, corrections. Commands go to the table; the state comes back by itself.

import { byId, el, embedded, refresh, text } from './dom.js';
import { discIcon, discWords } from './board.js';
import { command, enter, findSession, leave, mayScore } from './commands.js';
import { attempt, choice, closeSheet, errorPlace, field, form, numberField, openSheet, select } from './forms.js';
import { distance } from './score.js';

const page = document.documentElement;
const HIGHEST_TOTAL = 480; // 24 discs in the hole
const ZONES = [20, 15, 10, 5, 0];
let state = embedded('state');
let redraw = () => {};

function sessionChanged() {
  page.dataset.scorer = mayScore() ? 'yes' : 'no';
  redraw();
}

/** Send commands one after another and close the sheet; without a session any more, ask for the PIN instead. */
async function send(...commands) {
  try {
    for (const [what, values] of commands) await command(what, values);
    closeSheet();
  } finally {
    if (!mayScore()) sessionChanged();
  }
}

function openPin() {
  const pin = el('input', { inputmode: 'numeric', autocomplete: 'off', required: true, maxlength: 20, class: 'pin' });
  openSheet(text('keep_score'), form(text('enter'), async () => {
    await enter(pin.value);
    sessionChanged();
    openTools();
  }, field(text('pin'), pin), el('p', { class: 'hint' }, text('pin_help'))));
  pin.focus();
}

function openTools() {
  const { match, status } = state;
  const error = errorPlace();
  const tool = (label, action, hint) => el('button', { type: 'button', class: 'tool', onclick: action }, label,
    hint && el('small', {}, hint));
  const going = match && !match.over;
  const now = (what) => () => attempt(error, () => send([what]));
  openSheet(text('scorer'),
    error,
    match?.can_undo && tool(text('undo_what', { what: match.can_undo }), now('undo')),
    match?.can_redo && tool(text('redo_what', { what: match.can_redo }), now('redo')),
    going && tool(text('end_round'), openEndRound, text('end_round_what')),
    match && tool(text('correct_round'), openRound),
    going && status.word !== 'paused' && tool(text('pause'), now('pause')),
    going && ['paused', 'no_camera'].includes(status.word) && tool(text('resume'), now('resume')), // the camera's loss hides the pause
    tool(text('start'), openStart),
    tool(text('leave'), () => attempt(error, () => leave().finally(sessionChanged).then(closeSheet))));
}

function openEndRound() {
  const totals = state.match.sides.map((side) => el('p', { class: 'line' }, discIcon(side.id), `${side.name}: ${side.total}`));
  openSheet(text('end_round'), totals, form(text('confirm_end'), () => send(['end_round'])));
}

function openRound() {
  const { match } = state;
  const finished = match.rounds.map((round) => [String(round.number), String(round.number)]);
  const going = match.over ? [] : [[String(match.round.number), text('this_round', match.round)]];
  const which = select([...finished, ...going].reverse());
  const fields = el('div', {});
  let read = () => [];
  const fill = () => {
    const round = match.rounds.find((one) => String(one.number) === which.value);
    const rows = match.sides.map((side) => ({
      side,
      total: round && numberField(text('total_of', side), round.totals[side.id], HIGHEST_TOTAL, 5),
      twenties: numberField(text('twenties_of', side), round ? round.twenties[side.id] : side.twenties, side.discs),
    }));
    fields.replaceChildren(
      ...rows.flatMap((row) => [row.total?.element ?? '', row.twenties.element]),
      round ? '' : el('p', { class: 'hint' }, text('round_going_on')));
    read = () => changes(Number(which.value), rows);
  };
  which.addEventListener('change', fill);
  fill();
  openSheet(text('correct_round'), form(text('save'), async () => {
    const commands = read();
    if (!commands.length) throw new Error(text('nothing_changed'));
    await send(...commands);
  }, field(text('which_round'), which), fields));
}

/** The commands that turn a round into what the form says. */
function changes(number, rows) {
  const commands = rows.filter(({ twenties }) => twenties.changed()).map(({ side, twenties }) => (
    ['correct_twenties', { round: number, side: side.id, value: twenties.value() }]));
  if (rows.some(({ total }) => total?.changed())) {
    const totals = Object.fromEntries(rows.map(({ side, total }) => [side.id, total.value()]));
    commands.push(['correct_round', { round: number, totals }]);
  }
  return commands;
}

/** The rings by likelihood: where the disc was read, then across the line that it is nearest to, then the others. */
function ringsByLikelihood(disc) {
  const across = ZONES[ZONES.indexOf(disc.zone) + (disc.clearance > 0 ? 1 : -1)];
  return [...new Set([disc.zone, across, ...ZONES])].filter((zone) => zone !== undefined);
}

/** Ask where a disc really is. */
export function openDisc(id) {
  const disc = state.match?.discs.find((one) => one.id === id);
  if (!disc) return;
  const error = errorPlace();
  const answer = (zone, label, kind) => el('button', {
    type: 'button', class: kind, onclick: () => attempt(error, () => send(['correct_disc', { disc: id, zone }])),
  }, label);
  const [first, second, ...others] = ringsByLikelihood(disc);
  openSheet(text('disc_title'),
    el('p', { class: 'line' }, discIcon(disc.side), discWords(disc, state.match)),
    el('p', { class: 'hint' }, text('disc_hint', { zone: text(`zone_${disc.zone}`) })),
    el('div', { class: 'answers' }, answer(first, text(`zone_${first}`), 'main'), answer(second, text(`zone_${second}`), 'main')),
    el('div', { class: 'answers small' }, others.map((zone) => answer(zone, text(`zone_${zone}`), '')),
      answer('remove', text('take_off'), '')),
    error);
}

function openStart() {
  const { choices, match } = state;
  const ruleSet = () => choices.rules.find((one) => one.id === rules.value);
  const rules = select(choices.rules.map((one) => [one.id, one.name]), match?.rules);
  const format = select(choices.formats.map((one) => [one.kind, one.text]));
  const parameters = el('div', {});
  const discs = numberField(text('discs'), 12, 24);
  let values = {};
  let wanted = {};
  const fillFormat = () => {
    const chosen = choices.formats.find((one) => one.kind === format.value);
    const own = ruleSet().format;
    wanted = { ...chosen.default, ...(own.kind === chosen.kind ? own : { kind: chosen.kind }) };
    values = Object.fromEntries(Object.entries(wanted).filter(([, value]) => typeof value === 'number')
      .map(([key, value]) => [key, numberField(text(`parameter_${key}`), value, 999)]));
    parameters.replaceChildren(...Object.values(values).map((one) => one.element));
  };
  const fillRules = () => {
    format.value = ruleSet().format.kind;
    discs.input.value = ruleSet().discs;
    fillFormat();
  };
  rules.addEventListener('change', fillRules);
  format.addEventListener('change', fillFormat);
  fillRules();
  const sides = ['A', 'B'].map((id, i) => sideFields(id, match?.sides[i], choices.colours, i));
  const starter = choice('starter', text('begins'), sides.map((side) => [side.id, side.label]), 'A');
  openSheet(text('start'), match && !match.over && el('p', { class: 'hint' }, text('ends_match')),
    form(text('start_now'), () => send(['start', {
      rules: rules.value,
      format: { ...wanted, ...Object.fromEntries(Object.entries(values).map(([key, one]) => [key, one.value()])) },
      sides: sides.map((side) => ({ name: side.name.value.trim(), colour: side.colour.value })),
      starter: starter.value(),
      discs: discs.value(),
    }]), sides.map((side) => side.element), starter.element,
    field(text('rules'), rules), field(text('format'), format), parameters, discs.element));
}

function sideFields(id, before, colours, number) {
  const fallback = text('player', { number: number + 1 });
  const name = el('input', { value: before?.name ?? fallback, required: true, maxlength: page.dataset.longestName, autocomplete: 'off' });
  const colour = select(colours.map((one) => [one.id, one.name]), before?.colour ?? colours[number]?.id);
  const label = el('span', {}, name.value);
  name.addEventListener('input', () => { label.textContent = name.value; });
  return { id, name, colour, label, element: el('div', { class: 'side-fields' },
    field(`${text('name_of')} ${number + 1}`, name), field(text('colour_of'), colour)) };
}

function question(one) {
  const error = errorPlace();
  return el('article', {},
    one.picture && el('img', { src: `/picture/${encodeURIComponent(one.picture)}`, alt: text('picture_of') }),
    el('div', {},
      el('p', { class: 'asks' }, one.text),
      distance(one) && el('p', { class: 'hint' }, distance(one)),
      !mayScore() && el('p', { class: 'hint' }, text('who_answers')),
      error),
    mayScore() && el('div', { class: 'answers' }, one.answers.map((answer) => el('button', {
      type: 'button', class: 'main',
      onclick: () => attempt(error, () => send(['answer', { question: one.id, answer: answer.id }])),
    }, answer.text, answer.effect && el('small', {}, answer.effect)))));
}

/** Show the open questions, and the tools of whoever may use them. */
export function showScorer(newest) {
  state = newest;
  const { match } = state;
  refresh(byId('questions'), [match?.questions, mayScore()], () => (match?.questions ?? []).map(question));
  refresh(byId('tools'), [mayScore(), match?.can_undo, Boolean(match)], () => {
    if (!mayScore()) return el('button', { class: 'quiet', onclick: openPin }, text('keep_score'));
    const error = errorPlace();
    return [
      error,
      match?.can_undo && el('button', { title: match.can_undo, onclick: () => attempt(error, () => send(['undo'])) }, text('undo')),
      !match && el('button', { class: 'main', onclick: openStart }, text('start')),
      el('button', { onclick: openTools }, text('scorer')),
    ];
  });
}

/** Find out who looks; `show` draws the page anew when that changes. */
export function scorerReady(show) {
  redraw = show;
  findSession().then(sessionChanged, () => {});
}
