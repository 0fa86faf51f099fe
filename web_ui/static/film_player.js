// A shot to be watched again: the drawn board, a slider over its time, two speeds, and in words how fast what went and
// what touched what. Nothing plays before somebody wants it.

import { showBoard } from './board.js';
import { el } from './dom.js';
import { filmOver, waysOf } from './film.js';
import { decimal, metresASecond, percent, say } from './words.js';

const SPEEDS = [0.5, 1];
const STEP = 0.01; // s, of the slider

const seconds = (t) => decimal(t, 2);
const likely = (probability) => (probability < 0.95 ? say('{percent} likely', { percent: percent(probability) }) : '');

const ENDED = {
  rest: (disc) => say('{disc} comes to rest', { disc }),
  hole: (disc) => say('{disc} falls into the hole', { disc }),
  left: (disc) => say('{disc} leaves the surface', { disc }),
  hand: (disc) => say('{disc} is hidden by a hand', { disc }),
  lost: (disc) => say('{disc} is lost sight of', { disc }),
};

/** What happened, in order of time: [seconds, sentence]. */
function story({ film, names }) {
  const flicks = film.tracks.filter(({ began }) => began === 'flicked').map(({ points: [[t]], disc, speed }) => [t, speed === null
    ? say('{disc} is flicked', { disc: names[disc] }) : say('{disc} is flicked at {speed}', { disc: names[disc], speed: metresASecond(speed) })]);
  const contacts = film.contacts.map(({ t, discs: [one, other], closing, probability }) => [t, [
    say('{disc} hits {other} at {speed}', { disc: names[one], other: names[other], speed: metresASecond(closing) }), likely(probability)].filter(Boolean).join(', ')]);
  const ends = film.tracks.map(({ points, disc, ended }) => [points.at(-1)[0], ENDED[ended](names[disc])]);
  return [...flicks, ...contacts, ...ends].sort(([a], [b]) => a - b);
}

/** What the film can't tell. */
const gaps = ({ film }, sides) => [
  film.hidden > 0 && say('Hands hid a part of the board for {percent} of the time.', { percent: percent(film.hidden) }),
  film.unseen.length > 0 && say("Discs of {names} can't be told from the wood in these pictures: their ways are not known.", { names: film.unseen.map((id) => sides.find((side) => side.id === id)?.name ?? id).join(', ') }),
].filter(Boolean);

/** The player of a shot that was filmed. */
export function filmPlayer(match, shot) {
  const board = el('div', {});
  showBoard(board, { discs: shot.after, sides: match.sides, questions: [], strangers: [] });
  board.querySelector('.trails').replaceChildren(...waysOf(shot.film));
  const film = filmOver(board, shot.after, shot.film);
  const slider = el('input', { type: 'range', min: 0, max: film.length, step: STEP, value: 0, 'aria-label': say('Time of the shot') });
  const clock = el('output', {});
  const button = el('button', { type: 'button', class: 'main' });
  let speed = SPEEDS[0];
  let playing = false;

  function shown(t) {
    slider.value = t;
    const words = say('{t} of {of} s', { t: seconds(t), of: seconds(film.length) });
    slider.setAttribute('aria-valuetext', words);
    clock.textContent = words;
  }

  function step() {
    if (!playing || !board.isConnected) return;
    shown(film.t);
    requestAnimationFrame(step);
  }

  function play(wanted) {
    playing = wanted;
    button.textContent = playing ? say('Pause') : say('Play');
    if (!playing) { film.pause(); return; }
    if (film.t >= film.length - STEP) film.seek(0);
    film.play(speed);
    requestAnimationFrame(step);
  }

  function seek(t) {
    play(false);
    film.seek(t);
    shown(t);
  }

  film.onEnd = () => { play(false); shown(film.length); };
  button.addEventListener('click', () => play(!playing));
  slider.addEventListener('input', () => seek(Number(slider.value)));
  const speeds = SPEEDS.map((one) => el('button', { type: 'button', 'aria-pressed': String(one === speed), onclick: ({ currentTarget }) => {
    speed = one;
    speeds.forEach((other) => other.setAttribute('aria-pressed', String(other === currentTarget)));
    if (playing) film.play(speed);
  } }, one === 1 ? say('Real speed') : say('Half speed')));
  const marks = shot.film.contacts.map(({ t }) => Object.assign(el('i', { 'aria-hidden': 'true' }), { style: `--at: ${(t - film.from) / film.length}` }));
  const told = story(shot).map(([t, words]) => el('li', {}, el('button', { type: 'button', class: 'quiet', onclick: () => seek(t - film.from) }, el('b', {}, seconds(t - film.from)), ' ', words)));
  seek(0);
  return el('section', { class: 'film', 'aria-label': say('Film of the shot') },
    el('figure', {}, board, el('figcaption', {}, say('As the camera followed it'))),
    el('div', {},
      el('div', { class: 'film-controls' }, button, el('div', { class: 'timeline' }, slider, marks), clock, speeds),
      el('ol', { class: 'story' }, told), gaps(shot, match.sides).map((words) => el('p', { class: 'hint' }, words))));
}
