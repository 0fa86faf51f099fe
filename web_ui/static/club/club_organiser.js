// The organiser's desk: one tap for everything that happens on an evening, each with a plan to confirm.

import { getJson, enter, findSession, postJson, mayScore, pinNeeded } from '../shared/commands.js';
import { isOpen, isOver, progress, standings, troublesOf, versus } from './club.js';
import { bracket, podium } from './club_ending.js';
import { line, openMatches } from './club_entry.js';
import { earlierRounds, formatForm, formerEvenings, seedsForm, leftOut, setAside, shootOutForm } from './club_decide.js';
import { plan, planned, preview } from './club_plan.js';
import { resultFields } from './club_result.js';
import { addTable, begin, lines, list, revokeTable, showJoinCode } from './club_setup.js';
import { byId, el, refresh, unpressed } from '../shared/dom.js';
import { attempt, closeSheet, field, form, numberField, openSheet, refuse, select } from '../shared/forms.js';
import { live } from '../shared/live.js';
import { locale, say, sayMany } from '../shared/words.js';

const LOGGED = 6; // log entries shown without a tap
const MOST_CHANGES = 3; // changes of a log entry shown without a tap
let state = null;
let desk = null;
let asked = 0; // counts requests for the desk; `answered` is the newest one with an answer
let answered = 0;
let beginning = null; // the form for the first evening, while there is none

const place = byId('desk');

/** A button of the desk, for those that can't be undone or ask for more; and one that shows what follows from an action. */
const button = (label, action, kind = null) => el('button', { class: kind, onclick: () => attempt(action) }, label);
const does = (label, title, action, kind = 'quiet') => button(label, () => planned(title, action), kind);

// --- results

function resultForm(match) {
  const fields = resultFields(match);
  const winner = select([['', '–'], ['0', match.names[0]], ['1', match.names[1]]], '');
  const short = el('input', { type: 'checkbox' });
  const result = () => {
    const [points, twenties] = fields.values();
    return { match: match.id, sides: match.entrants, points, ...(twenties && { twenties }), ...(winner.value && { winner: Number(winner.value) }), ...(short.checked && { short: true }) };
  };
  return form(say('What follows'), () => planned(versus(match.names), match.points || match.word === 'walkover' ? { event: 'corrected', result: result() } : { event: 'result', ...result() }),
    fields.element, el('label.check', short, el('span', say('The match was ended early'))), field(say('Who won the shoot-out, if it was level'), winner));
}

const correct = (match) => openSheet(versus(match.names), resultForm(match));

/** All that can be done with an open match. */
function matchSheet(match) {
  const boards = select(state.boards.filter((board) => board.works).map((board) => [board.id, board.name]), match.board);
  const turn = numberField(say('Turn: 1 is the next match there'), match.turn, 99, 1, 1);
  const winner = select([...match.entrants.map((id, i) => [id, match.names[i]]), ['', say('nobody')]], match.entrants[0]);
  openSheet(versus(match.names), resultForm(match),
    form(say('Move'), () => planned(say('Move the match'), { event: 'match_moved', match: match.id, board: boards.value, turn: turn.value() }), field(say('Board'), boards), turn.element),
    form(say('Walkover'), () => planned(say('Walkover'), { event: 'walked_over', match: match.id, winner: winner.value || null }), field(say('Who gets the points'), winner)));
}

const more = (match) => el('button', { class: 'quiet more', 'aria-label': isOpen(match) ? say('More') : say('Correct'), onclick: () => (isOpen(match) ? matchSheet : correct)(match) }, '⋯');

/** The matches that are over, and who has a bye. */
function played() {
  const over = state.matches.filter(isOver);
  return [state.byes.length > 0 && el('p', say('Bye'), ': ', state.byes.join(', ')),
    over.length > 0 && [el('h2', sayMany('{n} match is over', '{n} matches are over', over.length)), el('ul.lines.over', over.map((match) => el('li', { 'data-match': match.id }, line(match, state, more))))],
    state.round > 1 && button(say('All rounds'), () => earlierRounds(desk, correct), 'quiet')];
}

const next = { do: 'next_round' };

/** What the evening needs next, always in one place: grey, with the reason, until it can be done. */
function nextStep() {
  const files = el('a', { class: 'button', href: `/evenings/${desk.evening}` }, say('Results and files'));
  const close = (kind) => does(say('Close the evening'), say('Close the evening'), { event: 'evening_closed' }, kind);
  const shootOut = (kind) => desk.tied.length > 0 && button(say('Shoot-out'), () => shootOutForm(desk), kind);
  if (state.closed) return [button(say('Another evening'), another, 'main'), el('div.actions', files)];
  if (state.finished) return [close('main'), el('div.actions', files, shootOut())];
  const pair = does(say('Pair the next round'), say('Pair the next round'), next, 'main');
  const first = Boolean(desk.refused) && state.open === 0 && shootOut('main');
  pair.disabled = Boolean(desk.refused);
  return [desk.refused && el('p.hint', desk.refused), first || pair,
    el('div.actions', state.open === 0 && state.round > 0 && [does(say('Next stage'), say('Next stage'), { do: 'next_stage' }, null), close('quiet')],
      desk.again && does(say('Pair this round again'), say('Pair this round again'), { do: 'pair_again', round: desk.again }, null), !first && shootOut())];
}

// --- players and boards

function addPlayers() {
  const players = list();
  const doubles = el('input', { type: 'checkbox' });
  openSheet(say('Add players'), form(say('What follows'), () => plan(say('Add players'), { players: lines(players.value), doubles: doubles.checked }),
    field(say('Players, one on each line'), players), el('label.check', doubles, el('span', say('Doubles')))));
}

/** Ask for another name; `action(name)` is what gives it. */
function rename(now, maxlength, action) {
  const name = el('input', { value: now, maxlength, required: true });
  openSheet(now, form(say('What follows'), () => planned(now, action(name.value)), field(say('Name'), name)));
}

const playerLine = (row) => el('li', el('span', row.name), el('span.actions',
  row.here ? does(say('Drop out'), row.name, { event: 'entrant_left', entrant: row.id }) : does(say('Plays again'), row.name, { event: 'entrant_returned', entrant: row.id }),
  button(say('Rename'), () => rename(row.name, 60, (name) => ({ event: 'entrant_renamed', entrant: row.id, players: name.split('&').map((one) => one.trim()) })), 'quiet')));

function showCode(table) {
  const where = `/board/${table.id}/${table.code}`;
  openSheet(table.name, el('figure.join', el('img', { src: `/qr.svg?board=${table.id}&code=${table.code}`, alt: '' })),
    el('p', say('Put this code at the board: any phone that scans it keeps its score.')), el('p', el('a', { href: where }, where)));
}

/** Who sends results without a valid token, if somebody does. */
const stranger = () => desk.stranger && el('p.error', desk.stranger);

function boardLine(board) {
  const table = desk.tables.find((one) => one.id === board.id);
  return el('li', el('b', board.name), troublesOf(board).map((words) => el('p.error', words)), el('details', { id: `board-${board.id}` }, el('summary', say('Change')), el('span.actions',
    board.works ? does(say('It broke'), board.name, { event: 'board_broken', board: board.id }) : does(say('It works again'), board.name, { event: 'board_mended', board: board.id }),
    table && [table.code ? button(say('Code for phones'), () => showCode(table), 'quiet') : button(say('Join code'), () => showJoinCode(table), 'quiet'),
      table.joined && button(say('Revoke its token'), () => revokeTable(table, load), 'quiet'), button(say('Rename'), () => rename(table.name, 40, (name) => ({ event: 'board_renamed', board: table.id, name: name.trim() })), 'quiet')],
    does(say('Remove'), board.name, { event: 'board_removed', board: board.id }))));
}

function addBoards() {
  const free = desk.tables.filter((table) => !state.boards.some((board) => board.id === table.id));
  return free.map((table) => does(say('Use {name} too', table), table.name, { event: 'board_added', board: table.id, name: table.name }));
}

// --- the log, the password

/** The changes of a log entry; if there are many, the first, and the others on demand. */
const logged = (number, changes) => (changes.length <= MOST_CHANGES
  ? changes.join(' ') || '–'
  : el('details', { id: `entry-${number}` }, el('summary', changes[0], ' ', say('(and {n} more)', { n: changes.length - 1 })),
    el('ul.plan', changes.slice(1).map((words) => el('li', words)))));

const logLine = ({ number, who, at, undone, changes }) => el('li', { class: undone ? 'undone' : null },
  el('time', new Date(at * 1000).toLocaleTimeString(locale, { timeStyle: 'short' })),
  el('span', logged(number, changes), el('small', ' ', who === 'table' ? say('the table') : who)),
  !undone && does(say('Undo'), say('Undo'), { event: 'undone', entry: number }));

/** A note where others in the network can read what is sent. */
const inClear = () => !window.isSecureContext && el('p.hint', say('This page comes without https: others in this network could read the password on its way. Use one that you use nowhere else.'));

function passwordForm() {
  const password = el('input', { type: 'password', minlength: 8, required: true, autocomplete: 'new-password' });
  openSheet(say('Organiser\'s password'), form(say('Keep'), async () => { await postJson('/api/password', { password: password.value }); await findSession(); closeSheet(); await load(); },
    el('p.hint', say('It lets you organise the evening from any phone.')), inClear(), field(say('Password'), password)));
}

function login() {
  const password = el('input', { type: 'password', required: true, autocomplete: 'current-password' });
  const who = el('input', { maxlength: 40 });
  place.dataset.page = 'login';
  place.replaceChildren(form(say('Log in'), async () => { await enter(password.value, who.value); await load(); }, inClear(), field(say('Your name'), who), field(say('Organiser\'s password'), password)));
}

// --- the desk

/** The desk's parts, left (matches and who plays) and right (what was done): the values that each depends on, and how to
 *  build it. An unchanged part is not rebuilt, since somebody may be about to touch it. */
const sections = () => [[
  [state.podium, () => podium(state.podium)],
  [[state.warnings, state.left_out, desk.set_aside, desk.stranger, desk.tables], () => [
    stranger(),
    state.warnings.map((words) => el('p.error', words)),
    state.left_out.map((each) => leftOut(each, desk.tables.find((table) => table.id === each.table)?.name ?? each.table, button)),
    desk.set_aside.length > 0 && el('ul.matches.aside', desk.set_aside.map((each) => setAside(each, button)))].flat()],
  [null, () => el('ul.lines', { id: 'open-list' })],
  [[state.matches.filter(isOver), state.byes, state.round, state.boards.map(({ name }) => name)], played],
  [state.bracket, () => bracket(state.bracket)],
  [[state.boards.map((board) => [board.id, board.name, board.works, troublesOf(board)]), desk.tables], () => [el('h2', say('Boards')), el('ul.tiles', state.boards.map(boardLine)),
    el('div.actions', desk.tables.some((table) => table.code) && el('a', { class: 'button', href: '/codes' }, say('Codes of all boards')), addBoards(), button(say('Add a board'), () => addTable(load), 'quiet'))]],
  [[state.players, state.round, desk.seeding], () => el('details', { id: 'players-list' }, el('summary', say('Players')), el('ul.matches', state.players.map((row) => playerLine(row))),
    el('div.actions', button(say('Add players'), addPlayers), state.round === 0 && desk.seeding.length > 1 && button(say('Seeds'), () => seedsForm(desk))))],
], [
  [desk.log, () => [el('h2', say('What was done')), el('ul.changes', desk.log.slice(0, LOGGED).map(logLine)), desk.log.length > LOGGED && el('details', { id: 'log-list' }, el('summary', say('Earlier')), el('ul.changes', desk.log.slice(LOGGED).map(logLine)))]],
  [[state.standings, state.stages], () => standings(state.standings, null, state.stages)],
  [desk.evenings, () => el('details', { id: 'evenings-list' }, el('summary', say('Evenings')), formerEvenings(desk.evenings, button, load))],
  [state.closed, () => el('div.actions', !state.closed && button(say('Another evening'), another, 'quiet'), button(say('Format'), () => formatForm(desk), 'quiet'), button(say('Password'), passwordForm, 'quiet'))],
]];

/** Rebuild a part that has changed; unfolded lists stay unfolded, so that the focus can return into them. */
function renew(part, value, build) {
  refresh(part, value, () => {
    const unfolded = new Set([...part.querySelectorAll('details[open]')].map(({ id }) => id));
    const made = el('section', build());
    made.querySelectorAll('details').forEach((list) => { list.open = unfolded.has(list.id); });
    return [...made.childNodes];
  });
}

const another = () => openSheet(say('Another evening'), el('p.hint', say('The current one is kept as it is.')), begin(desk, load, state.players.map(({ name }) => name)).element);

function showDesk() {
  if (!mayScore()) return;
  const begun = desk.evening !== null;
  const page = begun ? 'evening' : 'begin';
  if (place.dataset.page !== page) {
    place.dataset.page = page;
    beginning = begun ? null : begin(desk, load);
    place.replaceChildren(...(begun ? sections().map((side) => el('div', side.map(() => el('section')))) : [beginning.element, el('section'),
      el('div.actions', button(say('Add a board'), () => addTable(load)), button(say('Password'), passwordForm, 'quiet'))]));
  }
  beginning?.renew(desk);
  if (!begun) refresh(place.children[1], [desk.stranger], stranger);
  if (!begun) return;
  refresh(byId('next'), [state.round, state.open, state.finished, state.closed, desk], nextStep);
  sections().forEach((side, i) => side.forEach(([value, build], k) => renew(place.children[i].children[k], value, build)));
  openMatches(byId('open-list'), state, more);
}

/** Load and show the desk, unless a later request was answered first. */
async function load() {
  const number = asked += 1;
  const [now, refused] = await Promise.all([getJson('/api/desk'), preview(next).then(() => null, ({ status, message }) => status && message)]);
  if (number < answered) return;
  answered = number;
  desk = { ...now, refused };
  unpressed(place, showDesk);
}

live((now) => {
  const before = state;
  state = now;
  byId('evening').textContent = [now.title, progress(now)].filter(Boolean).join(' · ');
  if (before && mayScore()) load().catch(({ message }) => refuse(message)); // unasked
});

await findSession();
if (!mayScore() && !pinNeeded()) await enter(null, '').catch(() => {});
if (mayScore()) await load(); else login();
