// A visitor's phone: running and coming matches, and the standings.

import { boardCard, boardName, progress, resultOf, standings, versus } from './club.js';
import { bracket, podium } from './club_ending.js';
import { byId, el, refresh } from '../shared/dom.js';
import { live } from '../shared/live.js';
import { say } from '../shared/words.js';

const section = (id, value, words, build) => refresh(byId(id), value, () => value.length > 0 && [el('h2', words()), build(value)]);

/** Matches that no board shows: those waiting for a board, and finished ones. */
const matchList = (matches, words) => el('ul.matches', matches.map((match) => el('li', el('span', versus(match.names)), el('b', words(match)))));

live((now) => {
  byId('evening').textContent = [now.title, progress(now)].filter(Boolean).join(' · ');
  refresh(byId('podium'), now.podium, () => podium(now.podium));
  refresh(byId('bracket'), [now.bracket, now.boards.map(({ id, name }) => [id, name])], () => bracket(now.bracket, now));
  const [playing, free] = [now.boards.filter((board) => board.now?.started), now.boards.filter((board) => board.now && !board.now.started)];
  section('now', playing, () => say('Now'), (boards) => el('div.boards', boards.map(boardCard)));
  const at = new Set(playing.map((board) => board.now.match));
  const first = new Set(free.map((board) => board.now.match));
  const waiting = now.matches.filter((match) => match.word === 'waiting' && !at.has(match.id)).sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)) || a.turn - b.turn);
  section('next', waiting, () => say('Next matches'), (matches) => matchList(matches, (match) => boardName(now, match.board)));
  section('over', now.matches.filter((match) => match.points || match.word === 'walkover'), () => say('Results of this round'), (matches) => matchList(matches, resultOf));
  refresh(byId('standings'), [now.standings, now.stages], () => standings(now.standings, null, now.stages));
});
