// The organiser's desk: one tap for everything that happens on an evening, each with a plan to confirm.

import { enter, enterHere, findSession, getJson, mayScore, postJson } from '../shared/commands.js';
import { headedList, isOpen, isOver, progress, standings, troublesOf, versus } from './club.js';
import { bracket, podium } from './club_ending.js';
import { line, openMatches } from './club_entry.js';
import { earlierRounds, formatForm, formerEvenings, seedsForm, leftOut, shootOutForm } from './club_decide.js';
import { openPlan, plan, planned, preview } from './club_plan.js';
import { resultFields } from './club_result.js';
import { addTable, begin, lines, list, revokeTable, showJoinCode } from './club_setup.js';
import { byId, each, el, folded, link, put, refresh, unpressed, withId } from '../shared/dom.js';
import { attempt, button, check, field, form, numberField, openForm, openSheet, refuse, select, textField } from '../shared/forms.js';
import { live } from '../shared/live.js';
import { joined, say, sayMany, timeOf } from '../shared/words.js';

const LOGGED = 6; // log entries shown without a tap
const MOST_CHANGES = 3; // changes of a log entry shown without a tap
let state = null;
let desk = null;
let asked = 0; // counts requests for the desk; `answered` is the newest one with an answer
let answered = 0;
let beginning = null; // the form for the first evening, while there is none

const place = byId('desk');

/** A button that shows what follows from an action. */
const does = (label, action, kind = 'quiet', title = label) => button(label, () => planned(title, action), kind);

// --- results

function resultForm(match) {
  const fields = resultFields(match);
  return form(say('What follows'), ({ short, winner }) => {
    const result = { match: match.id, sides: match.entrants, ...fields.values(), ...(winner && { winner: Number(winner) }), ...(short && { short }) };
    return planned(versus(match.names), match.points || match.word === 'walkover' ? { event: 'corrected', result } : { event: 'result', ...result });
  }, fields.element, check('short', say('The match was ended early')), field(say('Who won the shoot-out, if it was level'), select([['', '–'], ...match.names.map((name, k) => [k, name])], '', { name: 'winner' })));
}

const correct = (match) => openSheet(versus(match.names), resultForm(match));

/** All that can be done with an open match. */
function matchSheet(match) {
  openSheet(versus(match.names), resultForm(match),
    form(say('Move'), (to) => planned(say('Move the match'), { event: 'match_moved', match: match.id, ...to }),
      field(say('Board'), select(state.boards.filter((board) => board.works).map((board) => [board.id, board.name]), match.board, { name: 'board' })),
      numberField('turn', say('Turn: 1 is the next match there'), match.turn, 99, 1, 1)),
    form(say('Walkover'), ({ winner }) => planned(say('Walkover'), { event: 'walked_over', match: match.id, winner: winner || null }),
      field(say('Who gets the points'), select([...match.entrants.map((id, i) => [id, match.names[i]]), ['', say('nobody')]], match.entrants[0], { name: 'winner' }))));
}

const more = (match) => button('⋯', () => (isOpen(match) ? matchSheet : correct)(match), 'quiet more', isOpen(match) ? say('More') : say('Correct'));

/** The matches that are over, and who has a bye. */
function played() {
  const over = state.matches.filter(isOver);
  return [state.byes.length > 0 && el('p', say('Bye'), ': ', state.byes.join(', ')),
    headedList(sayMany('{n} match is over', '{n} matches are over', over.length), over, () => el('ul.lines.over', over.map((match) => el('li', { 'data-match': match.id }, line(match, state, more))))),
    state.round > 1 && button(say('All rounds'), () => earlierRounds(desk, correct), 'quiet')];
}

const next = { do: 'next_round' };

/** What the evening needs next, always in one place: grey, with the reason, until it can be done. */
function nextStep() {
  const files = link(`/evenings/${desk.evening}`, say('Results and files'), 'button');
  const close = (kind) => does(say('Close the evening'), { event: 'evening_closed' }, kind);
  const shootOut = (kind) => desk.tied.length > 0 && button(say('Shoot-out'), () => shootOutForm(desk), kind);
  if (state.closed) return [button(say('Another evening'), another, 'main'), el('div.actions', files)];
  if (state.finished) return [close('main'), el('div.actions', files, shootOut())];
  const pair = does(say('Pair the next round'), next, 'main');
  const first = Boolean(desk.refused) && state.open === 0 && shootOut('main');
  pair.disabled = Boolean(desk.refused);
  return [desk.refused && el('p.hint', desk.refused), first || pair,
    el('div.actions', state.open === 0 && state.round > 0 && [does(say('Next stage'), { do: 'next_stage' }, ''), close('quiet')],
      desk.again && does(say('Pair this round again'), { do: 'pair_again', round: desk.again }, ''), !first && shootOut())];
}

// --- players and boards

function addPlayers() {
  openForm(say('Add players'), say('What follows'), ({ players, doubles }) => plan(say('Add players'), { players: lines(players), doubles }),
    field(say('Players, one on each line'), list()), check('doubles', say('Doubles')));
}

/** Ask for another name; `action(name)` is what gives it. */
const rename = (now, maxlength, action) => openPlan(now, ({ name }) => action(name), textField('name', say('Name'), { value: now, maxlength, required: true }));

function playerLine(row) {
  return el('li', el('span', row.name), el('span.actions',
    does(row.here ? say('Drop out') : say('Plays again'), { event: 'entrant_here', entrant: row.id, here: !row.here }, 'quiet', row.name),
    button(say('Rename'), () => rename(row.name, 60, (name) => ({ event: 'entrant_renamed', entrant: row.id, players: name.split('&').map((one) => one.trim()) })), 'quiet')));
}

function showCode(table) {
  const where = `/board/${table.id}/${table.code}`;
  openSheet(table.name, el('figure.join', el('img', { src: `/qr.svg?board=${table.id}&code=${table.code}`, alt: '' })),
    el('p', say('Put this code at the board: any phone that scans it keeps its score.')), el('p', link(where, where)));
}

/** Who sends results without a valid token, if somebody does. */
const stranger = () => desk.stranger && el('p.error', desk.stranger);

function boardLine(board) {
  const table = withId(desk.tables, board.id);
  const act = (label, event, more = {}) => does(label, { event, board: board.id, ...more }, 'quiet', board.name);
  return el('li', el('b', board.name), each('p.error', troublesOf(board)), folded(say('Change'), el('span.actions',
    act(board.works ? say('It broke') : say('It works again'), 'board_works', { works: !board.works }),
    table && [table.code ? button(say('Code for phones'), () => showCode(table), 'quiet') : button(say('Join code'), () => showJoinCode(table), 'quiet'),
      table.joined && button(say('Revoke its token'), () => revokeTable(table, load), 'quiet'), button(say('Rename'), () => rename(table.name, 40, (name) => ({ event: 'board_renamed', board: table.id, name })), 'quiet')],
    act(say('Remove'), 'board_removed')), { id: `board-${board.id}` }));
}

function addBoards() {
  const free = desk.tables.filter((table) => !withId(state.boards, table.id));
  return free.map((table) => does(say('Use {name} too', table), { event: 'board_added', board: table.id, name: table.name }, 'quiet', table.name));
}

// --- the log, the password

/** The changes of a log entry; if there are many, the first, and the others on demand. */
const logged = (number, changes) => (changes.length <= MOST_CHANGES
  ? changes.join(' ') || '–'
  : folded([changes[0], ' ', say('(and {n} more)', { n: changes.length - 1 })],
    el('ul.plan', each('li', changes.slice(1))), { id: `entry-${number}` }));

const logLine = ({ number, who, at, undone, changes }) => el('li', { class: undone && 'undone' },
  el('time', timeOf(at)),
  el('span', logged(number, changes), el('small', ' ', who === 'table' ? say('the table') : who)),
  !undone && does(say('Undo'), { event: 'undone', entry: number }));

const changesOf = (entries) => el('ul.changes', entries.map(logLine));

/** A note where others in the network can read what is sent. */
const inClear = () => !window.isSecureContext && el('p.hint', say('This page comes without https: others in this network could read the password on its way. Use one that you use nowhere else.'));

function passwordForm() {
  openForm(say('Organiser\'s password'), say('Keep'), async (password) => { await postJson('/api/password', password); await findSession(); await load(); },
    el('p.hint', say('It lets you organise the evening from any phone.')), inClear(), textField('password', say('Password'), { type: 'password', minlength: 8, required: true, autocomplete: 'new-password' }));
}

function login() {
  place.dataset.page = 'login';
  put(place, form(say('Log in'), async ({ password, who }) => { await enter(password, who); await load(); }, inClear(), textField('who', say('Your name'), { maxlength: 40 }),
    textField('password', say('Organiser\'s password'), { type: 'password', required: true, autocomplete: 'current-password' })));
}

// --- the desk

/** The desk's parts, left (matches and who plays) and right (what was done): how to build each, and on what a long one depends. */
const SECTIONS = [[
  () => podium(state.podium),
  () => [stranger(), each('p.error', state.warnings),
    desk.left_out.length > 0 && el('ul.matches.aside', desk.left_out.map((each) => leftOut(each, withId(desk.tables, each.table)?.name ?? each.table)))],
  () => el('ul.lines', { id: 'open-list' }),
  played,
  () => bracket(state.bracket),
  () => [el('h2', say('Boards')), el('ul.tiles', state.boards.map(boardLine)),
    el('div.actions', desk.tables.some((table) => table.code) && link('/codes', say('Codes of all boards'), 'button'), addBoards(), button(say('Add a board'), () => addTable(load), 'quiet'))],
  () => folded(say('Players'), [el('ul.matches', state.players.map(playerLine)),
    el('div.actions', button(say('Add players'), addPlayers), state.round === 0 && desk.seeding.length > 1 && button(say('Seeds'), () => seedsForm(desk)))], { id: 'players-list' }),
], [
  [() => [el('h2', say('What was done')), changesOf(desk.log.slice(0, LOGGED)), desk.log.length > LOGGED && folded(say('Earlier'), changesOf(desk.log.slice(LOGGED)), { id: 'log-list' })],
    () => desk.log],
  () => standings(state.standings, null, state.stages),
  () => folded(say('Evenings'), formerEvenings(desk.evenings, load), { id: 'evenings-list' }),
  () => el('div.actions', !state.closed && button(say('Another evening'), another, 'quiet'), button(say('Format'), () => formatForm(desk), 'quiet'), button(say('Password'), passwordForm, 'quiet')),
]];

const another = () => openSheet(say('Another evening'), el('p.hint', say('The current one is kept as it is.')), begin(desk, load, state.players.map(({ name }) => name)).element);

function showDesk() {
  if (!mayScore()) return;
  const begun = desk.evening !== null;
  const page = begun ? 'evening' : 'begin';
  if (place.dataset.page !== page) {
    place.dataset.page = page;
    beginning = begun ? null : begin(desk, load);
    put(place, begun ? SECTIONS.map((side) => el('div', side.map(() => el('section')))) : [beginning.element, el('section'),
      el('div.actions', button(say('Add a board'), () => addTable(load)), button(say('Password'), passwordForm, 'quiet'))]);
  }
  beginning?.renew(desk);
  if (!begun) { refresh(place.children[1], stranger); return; }
  refresh('next', nextStep);
  SECTIONS.forEach((side, i) => side.forEach((part, k) => {
    const [build, value] = [part].flat();
    refresh(place.children[i].children[k], build, value?.());
  }));
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
  byId('evening').textContent = joined([now.title, progress(now)]);
  if (before && mayScore()) load().catch(({ message }) => refuse(message)); // unasked
});

await enterHere().catch(() => {});
if (mayScore()) attempt(load); else login();
