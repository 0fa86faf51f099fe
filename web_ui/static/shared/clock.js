// Counts down the clocks of a match by the table's steady clock, which each beat of the stream reports.

import { el, refresh } from './dom.js';
import { offset } from './live.js';
import { say } from './words.js';

const TICK = 200; // milliseconds

let shown = [];

/** Seconds left on a clock. */
export const leftOn = (timer) => timer.left ?? Math.max(0, timer.ends - performance.now() / 1000 - offset);

/** A time as people write it: 9:05. */
export function written(seconds) {
  const whole = Math.ceil(seconds);
  const two = (n) => String(n).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

export const timerName = (timer) => (timer === 'round' ? say('Round clock') : say('Match clock'));

function tick() {
  for (const { timer, node } of shown) {
    const text = written(leftOn(timer));
    if (node.textContent !== text) node.textContent = text;
  }
}

/** Show the clocks. `onTap`: for scorers, who may change them. */
export function showTimers(match, onTap = null) {
  const timers = match && !match.over ? match.timers : [];
  refresh('timers', () => {
    shown = timers.map((timer) => ({ timer, node: el('span') }));
    return shown.map(({ timer, node }) => el(`${onTap ? 'button' : 'span'}.timer.${timer.word}`, {
      onclick: onTap, 'aria-label': onTap && timerName(timer.timer), title: timerName(timer.timer),
    }, node));
  }, [timers, Boolean(onTap)]);
  tick();
}

setInterval(tick, TICK);
