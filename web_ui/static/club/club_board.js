// A board without hardware: phones that scanned its code keep its score on pads, and all see each count. A round counts
// when both sides have agreed to its totals.

import { postJson, mayScore } from '../shared/commands.js';
import { headed, headedList, roundResult, sideLines, troublesOf, versus } from './club.js';
import { showTimers } from '../shared/clock.js';
import { keepCode } from './club_result.js';
import { byId, each, el, refresh, settings, withId } from '../shared/dom.js';
import { button, openForm, setShownState } from '../shared/forms.js';
import { live } from '../shared/live.js';
import { openClocks, showPads } from '../score/pads.js';
import { say } from '../shared/words.js';

const { board: id, code } = settings;

keepCode(id, code);

const send = (command) => postJson(`/api/board/${id}/${code}`, command);

const act = (label, action, kind = 'main') => el('div', button(label, action, kind));

const undo = (match) => act(say('Take the last round back'), () => openForm(say('Take the last round back'), say('Take it back'),
  () => send({ do: 'undo', seen: match.event }),
  el('p', say('Round {n} was {result}. Enter it again.', { n: match.rounds.length, result: roundResult(match.rounds.at(-1), match.names) }))), 'quiet');

const score = (match) => [el('div.score', sideLines(match, match.score)),
  match.rounds.length > 0 && el('ol.rounds', each('li', match.rounds.map((round) => roundResult(round, match.names))))];

function matchOf({ now, works }) {
  if (!now) return el('p', say('There is nothing to play here now.'));
  if (!now.started) return [el('p.against', versus(now.names)), works && act(say('Begin this match'), () => send({ do: 'begin', assignment: now.assignment }))];
  return [score(now), el('h2', say('Round {n}', { n: now.round }))];
}

/** A button that undoes the last round as a whole, while nothing of the next one is counted. */
const after = (now) => now?.started && now.rounds.length > 0 && !now.pads?.sides.some(({ counted, twenties }) => counted.length || twenties) && undo(now);

/** The last finished match, which can be reopened until another one begins. */
const last = (match) => match && [el('h2', say('The last match')), score(match), undo(match)];

live((state) => {
  const board = withId(state.boards, id);
  byId('board').textContent = board ? headed(board.name) : say('This board is not in use this evening.');
  if (!board) { ['match', 'timers', 'pads', 'after', 'waiting'].forEach((place) => refresh(place, () => null)); return; }
  refresh('match', () => [matchOf(board), each('p.error', troublesOf(board)), !board.now?.started && last(board.last)]);
  const match = board.now?.pads ?? null;
  setShownState(board.now?.event ?? null);
  showTimers(match, mayScore() && (() => openClocks(match)));
  showPads({ match, status: { word: '' } });
  refresh('after', () => after(board.now));
  refresh('waiting', () => headedList(say('Then'), board.waiting, (all) => el('ul', each('li', all.map(versus)))));
});
