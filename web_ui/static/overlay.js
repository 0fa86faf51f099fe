// The score to be laid over a video stream. Its address says how it looks:
// ?size=1.5&ground=101010&text=ffffff&board=yes&call=no

import { showBoard } from './board.js';
import { byId, el, page, refresh } from './dom.js';
import { live } from './live.js';
import { colour, spokenTotal } from './sides.js';
import { say } from './words.js';

const options = new URLSearchParams(location.search);
const COLOUR = /^(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

function look() {
  const size = Number(options.get('size'));
  if (size >= 0.25 && size <= 8) page.style.setProperty('--size', size);
  for (const name of ['ground', 'text']) {
    const option = options.get(name) ?? '';
    if (COLOUR.test(option)) page.style.setProperty(`--${name}`, `#${option}`);
    else if (option === 'none') page.style.setProperty(`--${name}`, 'transparent');
  }
}

const strip = (side, over) => el('div', { class: `strip side-${side.id}${side.shoots && !over ? ' turn' : ''}` },
  el('div', {},
    el('div', { class: `name mark-${side.id}` }, side.name),
    el('div', { class: 'small' }, side.twenties > 0 && el('span', {}, `${side.twenties} × 20`), side.hammer && !over && el('span', {}, say('Hammer')))),
  el('div', { class: 'points' }, side.total_range[0] === side.total_range[1] ? side.total : spokenTotal(side)));

function score(match) {
  const { number, of } = match.round;
  return [el('b', {}, match.sides.map((side) => side.score).join(' – ')),
    el('small', {}, of ? say('Round {number} of {of}', { number, of }) : say('Round {number}', { number }))];
}

look();
live(({ match }) => {
  if (match) colour(match.sides);
  page.dataset.match = match ? 'yes' : 'no';
  byId('strip').hidden = !match;
  byId('board').hidden = !match || options.get('board') !== 'yes';
  for (const id of 'ABCD') {
    const side = match?.sides.find((one) => one.id === id);
    refresh(byId(`side-${id}`), [side, match?.over], () => (side ? strip(side, match.over) : []));
  }
  refresh(byId('score'), match && [match.sides, match.round], () => (match ? score(match) : []));
  const words = match && options.get('call') !== 'no' ? (match.over ? match.next_step : match.last_call?.text) : '';
  refresh(byId('call'), words, () => words);
  if (!byId('board').hidden) showBoard(byId('board'), match, { moving: true });
});
