// A visitor's phone: running and coming matches, and the standings.

import { boardCard, boardName, headedList, matchList, progress, standings } from './club.js';
import { bracket, podium } from './club_ending.js';
import { byId, el, refresh } from '../shared/dom.js';
import { live } from '../shared/live.js';
import { joined, say } from '../shared/words.js';

const section = (id, rows, title, build) => refresh(id, () => headedList(title, rows, build));

live((now) => {
  byId('evening').textContent = joined([now.title, progress(now)]);
  refresh('podium', () => podium(now.podium));
  refresh('bracket', () => bracket(now.bracket, now));
  const playing = now.boards.filter((board) => board.now?.started);
  const free = now.boards.filter((board) => board.now && !board.now.started);
  section('now', playing, say('Now'), (boards) => el('div.boards', boards.map(boardCard)));
  const at = new Set(playing.map((board) => board.now.match));
  const first = new Set(free.map((board) => board.now.match));
  const waiting = now.matches.filter((match) => match.word === 'waiting' && !at.has(match.id)).sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)) || a.turn - b.turn);
  section('next', waiting, say('Next matches'), (matches) => matchList(matches, (match) => boardName(now, match.board)));
  section('over', now.matches.filter((match) => match.points || match.word === 'walkover'), say('Results of this round'), matchList);
  refresh('standings', () => standings(now.standings, null, now.stages));
});
