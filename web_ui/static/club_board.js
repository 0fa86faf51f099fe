// A board without hardware: whoever scanned its code keeps its score. A round counts when both sides have agreed.

import { give } from './commands.js';
import { troublesOf, versus } from './club.js';
import { byId, el, refresh } from './dom.js';
import { attempt, errorPlace, numberField, openSheet, closeSheet, form } from './forms.js';
import { live } from './live.js';
import { say } from './words.js';

const { board: id, code } = document.querySelector('main').dataset;
const MOST = 240; // points: twelve discs in the hole
const MOST_TWENTIES = 12;

const send = (command) => give(`/api/board/${id}/${code}`, command);

/** A button that does something which may be refused. */
function act(label, action, quiet = false) {
  const error = errorPlace();
  return el('div', {}, el('button', { type: 'button', class: quiet ? 'quiet' : 'main', onclick: () => attempt(error, action) }, label), error);
}

/** The fields of a round, and a button for each side: the round is entered when both have agreed to the same figures. */
function entry(match) {
  const error = errorPlace();
  const agreed = new Set();
  const fields = match.names.map((name) => ({ name,
    twenties: numberField(say('Twenties'), 0, MOST_TWENTIES),
    total: numberField(say('Total, twenties included'), 0, MOST, 5) }));
  const by = (name) => ({ A: fields[0][name].value(), B: fields[1][name].value() });
  const buttons = match.names.map((name, side) => el('button', { type: 'button', 'aria-pressed': 'false', onclick: () => agree(side) }, say('{name} agrees', { name })));

  function disagree() {
    agreed.clear();
    buttons.forEach((button) => button.setAttribute('aria-pressed', 'false'));
  }

  async function agree(side) {
    agreed.add(side);
    buttons[side].setAttribute('aria-pressed', 'true');
    if (agreed.size < 2) return;
    const entered = await attempt(error, () => send({ do: 'round', totals: by('total'), twenties: by('twenties'), after: match.event }));
    if (!entered) disagree();
  }

  const element = el('div', { class: 'entry' }, fields.map(({ name, twenties, total }) => el('fieldset', {}, el('legend', {}, name), twenties.element, total.element)),
    el('p', { class: 'hint' }, say('The round counts when both sides have agreed.')), el('div', { class: 'actions' }, buttons), error);
  element.addEventListener('input', disagree);
  element.addEventListener('click', ({ target }) => { if (target.closest('.steps')) disagree(); });
  return element;
}

const undo = (match) => act(say('Take the last round back'), () => openSheet(say('Take the last round back'),
  el('p', {}, say('Round {n} was {a} : {b}. It is to be entered again.', { n: match.rounds.length, a: match.rounds.at(-1)[0], b: match.rounds.at(-1)[1] })),
  form(say('Take it back'), async () => { await send({ do: 'undo', after: match.event }); closeSheet(); })), true);

const score = (match) => [el('div', { class: 'score' }, match.names.map((name, i) => el('p', { class: 'side' }, el('span', {}, name), el('b', {}, match.score[i])))),
  match.rounds.length > 0 && el('ol', { class: 'rounds' }, match.rounds.map(([a, b]) => el('li', {}, `${a} : ${b}`)))];

function matchOf({ now, works }) {
  if (!now) return el('p', {}, say('Nothing is to be played here now.'));
  if (!now.started) return [el('p', { class: 'against' }, versus(now.names)), works && act(say('Begin this match'), () => send({ do: 'begin', assignment: now.assignment }))];
  return [score(now), el('h2', {}, say('Round {n}', { n: now.round })), entry(now), now.rounds.length > 0 && undo(now)];
}

/** The match that was over last, for as long as nothing else has begun: it can be taken up again. */
const last = (match) => match && [el('h2', {}, say('The last match')), score(match), undo(match)];

live((state) => {
  const board = state.boards.find((one) => one.id === id);
  byId('board').textContent = board?.name ?? say('This board is not in use this evening.');
  if (!board) { byId('match').replaceChildren(); return; }
  refresh(byId('match'), [board.now, board.works, board.last], () => [matchOf(board), troublesOf(board).map((words) => el('p', { class: 'error' }, words)), !board.now?.started && last(board.last)]);
  refresh(byId('waiting'), board.waiting, () => board.waiting.length > 0 && [el('h2', {}, say('Then')), el('ul', {}, board.waiting.map((names) => el('li', {}, versus(names))))]);
});
