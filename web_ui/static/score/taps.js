// Taps on the pads that the table has not accepted yet: kept without an answer, also over a reload, and sent again under
// the same key, so that the table carries each out only once.

import { remembered } from '../shared/dom.js';
import { command, mayScore, own, ownWord } from '../shared/commands.js';
import { closeSheet, seen } from '../shared/forms.js';
import { openOvertaken, sessionChanged } from '../shared/scorer.js';

const KEY = own ? `taps ${own}` : 'taps'; // a club's boards share one address, and each counts its own matches
const AGAIN = 2000; // milliseconds until a retry
const REFUSED = [400, 409]; // the table has refused the command

const sender = ownWord();
let number = 0;
let waiting = JSON.parse(remembered.get(KEY) ?? '[]'); // [what, values], the oldest first
let sending = false;
let again = 0;
/** @type {(refusal?: { message: string, offer?: string }) => void} */
let changed = () => {};

/** Whether the last attempt got no answer. */
export let stuck = false;

/** Call `show(refusal)` when the waiting taps change. */
export const onTaps = (show) => { changed = show; };

/** The taps that were not accepted yet. */
export const tapped = () => waiting.map(([what, values]) => ({ what, ...values }));

function keep(taps, refusal) {
  waiting = taps;
  remembered.set(KEY, JSON.stringify(waiting));
  changed(refusal);
}

function refused(error) {
  const [first, ...others] = waiting;
  stuck = false;
  if (!error.changes) return keep(others, error);
  keep([]); // the other taps belonged to the same state
  return openOvertaken(error.changes, () => {
    [first, ...others].forEach(([what, { key, seen: old, ...values }]) => tap(what, values));
    closeSheet();
  });
}

/** Send the waiting taps, one after another. */
export async function sendTaps() {
  clearTimeout(again);
  if (sending || !waiting.length || !mayScore()) return;
  sending = true;
  try {
    while (waiting.length) {
      await command(...waiting[0]);
      stuck = false;
      keep(waiting.slice(1));
    }
  } catch (error) {
    if (REFUSED.includes(error.status)) refused(error);
    else { stuck = true; changed(); }
    if (!mayScore()) sessionChanged();
    again = setTimeout(sendTaps, AGAIN);
  } finally {
    sending = false;
  }
}

/** A tap on a pad: a command on the state that the person sees. */
export function tap(what, values) {
  number += 1;
  keep([...waiting, [what, { key: `${sender}.${number}`, seen: seen(), ...values }]]);
  sendTaps();
}

/** Drop the newest unsent tap that `fits`. Returns whether there was one. */
export function dropTap(fits) {
  const last = waiting.findLastIndex(([what, values], i) => (i > 0 || !sending) && fits(what, values));
  if (last >= 0) keep(waiting.toSpliced(last, 1));
  return last >= 0;
}
