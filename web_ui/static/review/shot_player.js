// A shot on one board: before, after, and between them its film with a slider and two speeds, and the story in words:
// speeds and contacts. Nothing plays by itself.

import { BOARD, showBoard, startOf } from '../shared/board.js';
import { el, put, svg, withId } from '../shared/dom.js';
import { filmOver, spanOf, waysOf } from '../shared/film.js';
import { decimal, joined, metresASecond, percent, say } from '../shared/words.js';

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

/** The story in order of time: [seconds, sentence] each. */
function story({ film, names }) {
  const flicks = film.tracks.filter(({ began }) => began === 'flicked').map(({ points: [[t]], disc, speed }) => [t, speed === null
    ? say('{disc} is flicked', { disc: names[disc] }) : say('{disc} is flicked at {speed}', { disc: names[disc], speed: metresASecond(speed) })]);
  const contacts = film.contacts.map(({ t, discs: [one, other], closing, probability }) => [t, joined([
    say('{disc} hits {other} at {speed}', { disc: names[one], other: names[other], speed: metresASecond(closing) }), likely(probability)], ', ')]);
  const ends = film.tracks.map(({ points, disc, ended }) => [points.at(-1)[0], ENDED[ended](names[disc])]);
  return [...flicks, ...contacts, ...ends].sort(([a], [b]) => a - b);
}

/** What the film does not show. */
const gaps = ({ film }, sides) => [
  film.hidden > 0 && say('Hands hid part of the board {percent} of the time.', { percent: percent(film.hidden) }),
  film.unseen.length > 0 && say("In these pictures the discs of {names} look like the wood, so their paths are not known.", { names: film.unseen.map((id) => withId(sides, id)?.name ?? id).join(', ') }),
];

/** The probable path of a shot disc that was not filmed: from its seat to the first disc that it hit, and on. */
function shotWay({ disc, seat, contacts, before }, to) {
  const hit = contacts.find((pair) => pair.includes(disc))?.find((one) => one !== disc);
  const lay = withId(before, hit);
  const start = startOf(seat, lay ?? to);
  if (!lay) return [start, to];
  const apart = Math.hypot(lay.x - start.x, lay.y - start.y);
  const share = Math.max(0, 1 - (2 * BOARD.disc) / apart); // of the way to it, where the discs touch
  return [start, { x: start.x + share * (lay.x - start.x), y: start.y + share * (lay.y - start.y) }, to];
}

/** Straight lines to the resting places of a shot's discs, and rings at the places of those that left the surface; without
 *  the discs that a film `followed`. */
function straightWays(shot, followed) {
  const place = (at) => (at === 'hole' ? { x: 0, y: 0 } : at && { x: at[0], y: at[1] });
  return shot.paths.filter(({ disc }) => !followed.includes(disc)).map(({ disc, from, to }) => {
    const lay = place(from);
    if (to === 'ditch') return lay && svg('circle.stranger', { cx: lay.x, cy: -lay.y, r: BOARD.disc });
    if (!lay && disc !== shot.disc) return null; // its earlier place is unknown
    const points = lay ? [lay, place(to)] : shotWay(shot, place(to));
    return svg('polyline.path', { points: points.map(({ x, y }) => `${x},${-y}`).join(' ') });
  });
}

const pressed = (buttons, chosen) => buttons.forEach((one) => one.setAttribute('aria-pressed', String(one === chosen)));
const button = (words, onclick, kind = '') => el('button', { class: kind, onclick }, words);

/** The film's slider, buttons and story; `seek(t)` shows the board at `t` seconds from the film's start. */
function filmControls(shot, match, { length, from }, { seek, play, setSpeed }) {
  const slider = el('input', { type: 'range', min: 0, max: length, step: STEP, 'aria-label': say('Time of the shot'), oninput: () => seek(Number(slider.value)) });
  const marks = shot.film.contacts.map(({ t }) => Object.assign(el('i', { 'aria-hidden': 'true' }), { style: `--at: ${(t - from) / length}` }));
  const clock = el('output');
  const toggle = button('', play, 'main');
  const speeds = SPEEDS.map((one) => button(one === 1 ? say('Real speed') : say('Half speed'), ({ currentTarget }) => { setSpeed(one); pressed(speeds, currentTarget); }));
  pressed(speeds, speeds[0]);
  const lines = story(shot).map(([t, words]) => el('li', button([el('b', seconds(t - from)), ' ', words], () => seek(t - from), 'quiet')));
  return {
    timeline: el('div.timeline', slider, marks),
    row: el('div.film-controls', toggle, clock, speeds),
    words: [el('ol.story', lines), gaps(shot, match.sides).map((words) => words && el('p.hint', words))],
    show(t, playing) {
      const words = say('{t} of {of} s', { t: seconds(t), of: seconds(length) });
      slider.value = t;
      slider.setAttribute('aria-valuetext', words);
      clock.textContent = words;
      toggle.textContent = playing ? say('Pause') : say('Play');
    },
  };
}

/** A shot on a board of its own, which first shows the discs after it. `onDisc(id, board)` handles touches of them. */
export function shotPlayer(match, shot, onDisc) {
  const film = shot.film?.tracks.length > 0 ? shot.film : null;
  const span = film ? spanOf(film) : { from: 0, length: 1 }; // any length: there is nothing in between
  const board = el('div.shot-board');
  let running = null; // the film, until the board shows the discs after the shot
  let speed = SPEEDS[0];
  let playing = false;
  let controls = null;

  function draw(discs, over = false) {
    running?.remove();
    running = null;
    showBoard(board, { discs, sides: match.sides, last_call: shot, round: { number: shot.round }, questions: over ? shot.questions : [], strangers: [] },
      over && onDisc && ((id) => onDisc(id, board)));
  }

  function shown(t) {
    pressed(ends, ends[t <= 0 ? 0 : t > span.length - STEP ? 1 : -1]);
    controls?.show(t, playing);
  }

  function seek(t) {
    playing = false;
    const over = t > span.length - STEP;
    if (over || !film) draw(over ? shot.after : shot.before, over);
    else {
      if (!running) {
        draw(shot.before);
        running = filmOver(board, shot.after, film, shot.before);
        running.onEnd = () => seek(span.length);
      }
      running.pause();
      running.seek(t);
    }
    shown(t);
  }

  function step() {
    if (!playing || !board.isConnected) return;
    shown(running.t);
    requestAnimationFrame(step);
  }

  function play() {
    if (playing) { seek(running.t); return; }
    if (!running) seek(0);
    playing = true;
    running.play(speed);
    step();
  }

  function setSpeed(wanted) {
    speed = wanted;
    if (playing) running.play(speed);
  }

  const ends = [button(say('Before'), () => seek(0)), button(say('After'), () => seek(span.length))];
  controls = film && filmControls(shot, match, span, { seek, play, setSpeed });
  seek(span.length);
  put(board.querySelector('.trails'), film && waysOf(film), straightWays(shot, film ? film.tracks.map(({ disc }) => disc) : []));
  return el('section.shot', { class: film && 'film', 'aria-label': say('The board before and after the shot') },
    el('figure', board, el('figcaption', film ? say('As the camera followed it')
      : say('Not filmed: the lines only lead straight to where the discs came to rest.'))),
    el('div', el('div.ends', ends[0], controls?.timeline, ends[1]), controls?.row, controls?.words));
}
