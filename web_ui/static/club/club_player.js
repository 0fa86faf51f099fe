// A player's phone: my next match and board, my results, and the standings.

import { getJson, postJson } from '../shared/commands.js';
import { boardName, figures, headed, headedList, isOver, matchList, progress, resultOf, standings, twentiesOf, versus } from './club.js';
import { podium } from './club_ending.js';
import { el, link, refresh, remembered, withId } from '../shared/dom.js';
import { button, field, form, openForm, select, textField } from '../shared/forms.js';
import { codeOf, keepCode, resultFields } from './club_result.js';
import { live } from '../shared/live.js';
import { joined, known, locale, say, starred } from '../shared/words.js';

const KEY = 'club-player';

let state = null;
let me = remembered.get(KEY);

function choose(id) {
  me = id || null;
  remembered.set(KEY, me ?? '');
  show(state);
}

function whoAmI() {
  const names = [...state.players].sort((a, b) => a.name.localeCompare(b.name, locale, { numeric: true }));
  return field(say('I am'), select([['', '–'], ...names.map(({ id, name }) => [id, name])], me, { id: 'me', onchange: ({ target }) => choose(target.value) }));
}

/** A field for the code of a match's board, unless this phone has scanned it. */
const codeField = ({ board }) => !codeOf(board) && textField('typed', say('Code of the board'), { autocapitalize: 'none', autocomplete: 'off', spellcheck: false });

/** Post a result of mine, its points and twenties, with the code. */
async function send({ id, board }, result, { typed }) {
  const code = typed || (codeOf(board) ?? '');
  try {
    await postJson(`/api/matches/${encodeURIComponent(id)}/claim`, { ...result, by: me, code });
  } catch (error) {
    if (error.status === 403 && code === codeOf(board)) keepCode(board, ''); // a new password has made a new code: ask for it
    throw error;
  }
  keepCode(board, code);
}

/** Enter the result of my match; it counts once my opponent enters the same. */
function enterResult(match) {
  const fields = resultFields(match);
  openForm(versus(match.names), say('Enter the result'), (code) => send(match, fields.values(), code),
    fields.element, codeField(match), el('p.hint', say('It counts when your opponent confirms it on their phone.')));
}

/** Agree to what the opponent entered. */
const agree = (match, claim) => form(say('Yes, it counts'), (code) => send(match, claim, code),
  el('p', say('Your opponent says: {result}. Is that right?', { result: `${versus(match.names)} ${claimed(claim)}` })), codeField(match));

const claimed = ({ points, twenties }) => joined([figures(points), twenties && `(${twentiesOf(twenties.join(' + '))})`], ' ');

/** The actions for my match at a board without hardware: enter its result, confirm the opponent's, or keep its score if
 *  this phone has scanned the board's code. */
function actions(match) {
  const { claim: made, board } = match;
  if (!withId(state.boards, board)?.by_hand) return null;
  const scorer = codeOf(board);
  return [made && made.by !== me && agree(match, made),
    made && made.by === me && el('p.hint', say('You said: {result}. Your opponent still has to confirm it.', { result: claimed(made) })),
    el('div.actions', scorer && link(`/board/${board}/${scorer}`, say('Keep the score'), 'button'),
      button(made ? say('Enter another result') : say('Enter the result'), () => enterResult(match), made || scorer ? 'quiet' : 'main'))];
}

/** My match: where I play, and against whom. */
function next() {
  if (state.podium.length) return podium(state.podium);
  const match = state.matches.find((one) => one.entrants.includes(me) && ['waiting', 'going_on', 'reopened'].includes(one.word));
  if (!match) return el('p', state.byes.includes(withId(state.players, me).name) ? say('You have a bye in this round.') : say('You have no match to play now.'));
  return [el('h2.where', joined([headed(boardName(state, match.board)), match.name])), el('p.against', say('against {name}', { name: match.names[1 - match.entrants.indexOf(me)] })),
    el('p.hint', state.boards.some((board) => board.now?.match === match.id) ? resultOf(match) : say('After the match being played there now.')), actions(match)];
}

/** What I won, and every match of mine, the newest first. */
function mine(rounds) {
  const row = withId(state.standings, me);
  const over = rounds.filter(isOver);
  const won = over.filter((match) => match.won !== null && match.entrants[match.won] === me).length;
  return headedList(say('My matches'), rounds, () => [
    over.length > 0 && [row && el('p.place', say('Place {place}', { place: row.place })),
      el('p', joined([say('{n} of {of} matches won', { n: won, of: over.length }), row?.all_twenties && twentiesOf(known(row.all_twenties, !row.all_twenties_missing))])),
      row?.all_twenties > 0 && row.all_twenties_missing > 0 && el('p.hint', starred())],
    matchList([...rounds].reverse())]);
}

let asked = 0; // counts requests, so that late answers to earlier ones are dropped

async function showMine() {
  const number = asked += 1;
  const rounds = me ? (await getJson(`/api/matches/${encodeURIComponent(me)}`)).matches : [];
  if (number === asked) refresh('mine', () => mine(rounds));
}

function show(now) {
  const known = withId(now.players, me);
  state = now;
  refresh('who', () => now.players.length > 0 && whoAmI());
  refresh('next', () => (known ? next() : [podium(now.podium), el('p', progress(now))]));
  refresh('standings', () => standings(now.standings, me, now.stages));
  showMine().catch(() => {}); // the banner says that the hub does not answer
}

live(show);
