// The browser's voice: says calls and scores in the page's language. Nothing is said twice: after a correction, only the
// change is said.

import { byId, el, options, page, remembered, settings, withId } from '../shared/dom.js';
import { spokenTotal } from '../shared/sides.js';
import { language, say } from '../shared/words.js';

const KEY = 'caller';
export const LEVELS = {
  off: say('Off'),
  calls: say('Calls'),
  scores: say('and scores'),
  full: say('Everything'),
};

const LONGEST = 5000; // milliseconds for a sentence, and for each letter more: slow voices need half
const LETTER = 200;
const NO_VOICE = ['synthesis-failed', 'synthesis-unavailable', 'voice-unavailable', 'language-unavailable'];
const voice = () => globalThis.speechSynthesis;
export let level = options.get('caller') ?? remembered.get(KEY) ?? settings.caller ?? 'off';
let before = null;
let asked = false;

const queue = []; // what is still to be said; the first is being said
let overdue = 0;

const waiting = []; // functions that need a touch first

/** Show a button for the touch that browsers require before a page may make sounds; then call `wake()`. */
export function tapForSound(wake) {
  waiting.push(wake);
  if (document.querySelector('button#sound')) return;
  byId('sound')?.remove();
  const touched = () => { byId('sound').remove(); waiting.splice(0).forEach((one) => one()); };
  document.body.append(el('button.main', { id: 'sound', onclick: touched }, say('Tap for sound')));
}

/** Show why the page is silent: after the page's content, or on the sheet where the voice was chosen. */
function silent(reason) {
  if (reason === 'not-allowed') tapForSound(() => { if (before) speak(before.sides.map(totalOf)); });
  else if (NO_VOICE.includes(reason) && !byId('sound')) (page.querySelector('dialog[open] .sheet-body') ?? page.querySelector('main')).append(el('p', { id: 'sound', role: 'status' }, say('This browser has no voice: the calls can not be heard here.')));
}

function sayFirst() {
  clearTimeout(overdue);
  const [first] = queue;
  if (!first) return;
  overdue = setTimeout(() => { voice().cancel(); said(first); }, LONGEST + LETTER * first.text.length); // some browsers' voices hang
  voice().speak(first);
}

function said(one) {
  if (queue[0] !== one) return;
  queue.shift();
  sayFirst();
}

function speak(sentences, volume = 1) {
  for (const sentence of sentences) {
    const utterance = Object.assign(new SpeechSynthesisUtterance(sentence), { lang: language, volume,
      onerror: ({ error }) => { silent(error); said(utterance); }, onend: () => said(utterance), onstart: () => byId('sound')?.remove() });
    queue.push(utterance);
    if (queue.length === 1) sayFirst();
  }
}

const totalOf = (side) => say('{name}: {total}', { name: side.name, total: spokenTotal(side) });

/** The totals that differ from those before. */
const changedTotals = (match, old) => match.sides
  .filter((side, i) => JSON.stringify(side.total_range) !== JSON.stringify(old.sides[i].total_range) || side.twenties !== old.sides[i].twenties)
  .map(totalOf);

const isNewShot = ({ last_call: now, round }, old) => Boolean(now)
  && JSON.stringify([now, round.number]) !== JSON.stringify([old.last_call, old.round.number]);

const takesOff = ({ discs }) => discs.some(({ remove }) => remove && remove !== 'twenty');

/** The sentences that a level speaks when the match changes from the state `old`. */
export function sentences(match, old, much) {
  if (much === 'off' || !match || !old || match.id !== old.id) return [];
  const said = [];
  const asked = match.questions.filter((one) => !withId(old.questions, one.id));
  if (match.over !== old.over) said.push(match.over && match.next_step);
  else if (isNewShot(match, old)) said.push(match.last_call.text, takesOff(match) && match.next_step);
  said.push(...match.amended.filter((one) => !withId(old.amended, one.id)).map((one) => one.text));
  if (much !== 'calls') said.push(...changedTotals(match, old));
  said.push(...asked.map((one) => one.text));
  if (much === 'full') {
    said.push(...asked.flatMap((one) => one.answers.map((answer) => answer.text)));
    if (match.next_step !== old.next_step && !match.over && !said.includes(match.next_step)) said.push(match.next_step);
    if (match.situation !== old.situation) said.push(match.situation);
  }
  return said.filter(Boolean);
}

/** Speak what is new. */
export function call({ match }) {
  if (voice()) speak(sentences(match, before, level));
  if (voice() && !asked && level !== 'off') speak(['·'], 0); // silent: tests whether the browser lets this page speak
  asked = true;
  before = match;
}

/** Set the level. */
export function setLevel(chosen) {
  level = chosen;
  remembered.set(KEY, level);
  queue.length = 0;
  voice()?.cancel();
  byId('sound')?.remove();
  if (level !== 'off' && before) speak(before.sides.map(totalOf)); // the browser then allows the voice from now on
}
