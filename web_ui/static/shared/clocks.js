// The scorer's sheet of clocks: set one, start it, stop it, correct it, call time.

import { el } from './dom.js';
import { leftOn, timerName, written } from './clock.js';
import { button, numberField, openSheet, valuesOf } from './forms.js';
import { send } from './scorer.js';
import { say } from './words.js';

const MINUTE = 60;
const USUAL = { round: 10, match: 30 }; // minutes; ten are usual for singles at clubs that play by a clock
const MOST = 24 * 60; // minutes; a test holds it to the table's own

/** The controls of one clock. */
function part(name, match) {
  const act = (label, command, kind) => button(label, () => send(...command()), kind);
  const timer = match.timers.find((one) => one.timer === name);
  const minutes = numberField('minutes', say('Minutes'), timer ? Math.ceil(timer.seconds / MINUTE) : USUAL[name], MOST, 1, 1);
  const set = (how) => ['set_timer', { timer: name, seconds: valuesOf(minutes).minutes * MINUTE, ...how }];
  const corrected = (by) => ['set_timer', { timer: name, left: Math.max(1, leftOn(timer) + by) }];
  const running = timer?.word === 'running';
  return el(`section.clock-${name}`,
    el('h3', timerName(name), timer && `: ${written(leftOn(timer))}`),
    timer?.text && el('p', timer.text),
    name === 'round' && !match.manual && !match.round.time_called && match.sides.length > 1 && [
      act(say('Time ran out'), () => ['time_out'], timer?.word === 'ended' ? 'main' : ''), el('p.hint', say('A side with fewer shots has one more; else the round ends.'))],
    timer && timer.word !== 'ended' && el('div.answers',
      act(running ? say('Stop the clock') : say('Let the clock run'), () => ['set_timer', { timer: name, running: !running }], 'main'),
      act(say('A minute more'), () => corrected(MINUTE)), act(say('A minute less'), () => corrected(-MINUTE))),
    minutes,
    el('div.answers',
      act(say('Start now'), () => set({ running: true })), act(say('Start with the first shot'), () => set({ on_first_shot: true })),
      timer && act(say('Play without this clock'), () => ['remove_timer', { timer: name }])));
}

export function openClocks(match) {
  openSheet(say('Clock'), part('round', match), part('match', match));
}
