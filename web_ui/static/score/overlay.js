// The score to be laid over a video stream. Its address says how it looks:
// ?size=1.5&ground=101010&text=ffffff&board=yes&call=no

import { showBoard } from '../shared/board.js';
import { showTimers } from '../shared/clock.js';
import { byId, each, el, options, page, refresh, withId } from '../shared/dom.js';
import { trails } from '../shared/film.js';
import { live } from '../shared/live.js';
import { colour, namesOf, roundOf, spokenTotal } from '../shared/sides.js';
import { say } from '../shared/words.js';

const COLOUR = /^(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

function look() {
  const size = Number(options.get('size'));
  if (size >= 0.25 && size <= 8) page.style.setProperty('--size', String(size));
  for (const name of ['ground', 'text']) {
    const option = options.get(name) ?? '';
    if (COLOUR.test(option)) page.style.setProperty(`--${name}`, `#${option}`);
    else if (option === 'none') page.style.setProperty(`--${name}`, 'transparent');
  }
}

const twenties = (side, over) => (over ? side.match_twenties : side.twenties);

const strip = (side, { over, manual }) => el(`div.strip.side-${side.id}`, { class: side.shoots && !over && !manual && 'turn' },
  el('div',
    el(`div.name.mark-${side.id}`, each('span', namesOf(side))),
    el('div.small', twenties(side, over) > 0 && el('span', `${twenties(side, over)} × 20`), side.hammer && !over && el('span', say('Hammer')))),
  el('div.points', over ? side.score : spokenTotal(side)));

const score = ({ sides, round }) => [el('b', sides.map((side) => side.score).join(' – ')),
  el('small', roundOf(round))];

const leaveTrails = trails();

look();
live(({ match }) => {
  if (match) colour(match.sides);
  page.dataset.match = match ? 'yes' : 'no';
  byId('strip').hidden = !match;
  byId('board').hidden = !match || options.get('board') !== 'yes';
  for (const id of 'ABCD') {
    const side = withId(match?.sides, id);
    refresh(`side-${id}`, () => side && strip(side, match));
  }
  refresh('score', () => match && score(match));
  showTimers(match);
  const words = match && options.get('call') !== 'no' ? (match.over ? match.next_step : match.last_call?.text) : '';
  refresh('call', () => words);
  if (byId('board').hidden) return;
  showBoard(byId('board'), match);
  leaveTrails(match.film);
});
