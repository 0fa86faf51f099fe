// The sheet that slides in, and its forms, which keep their input when the table refuses it; and what takes a tap.

import { answered, NO_ANSWER } from './commands.js';
import { el, put } from './dom.js';
import { say } from './words.js';

// A tap is for what was under the thumb when it was aimed: a button that an update brings, moves or renames takes no tap for a
// second. What a person asked for takes taps at once, except where the last tap was: another may follow it. What an answer brings
// late has to be seen first. While an answer is awaited, a new state may be another's, until it proves to be the answer.

const AIM = 1000; // milliseconds from aiming to tapping
const SEEN = 400; // the same from seeing to tapping: nobody is faster
const PROMPT = 100; // milliseconds after a press in which nobody aims at anything else
const NEAR = 24; // pixels that a button may move and still be under the thumb

let buttons = []; // when last looked at: what each is, where, and since when
let place = {}; // of the last tap
let opening = true; // whether the page has just opened, and nothing was pressed yet
let at = Infinity; // when the person last pressed or typed
let own = 0; // the actions of the person that are going on: they asked for what changes now
let news = ''; // whose state was shown since the last look: 'own', 'unknown' or nobody's
let unknown = 0; // when a state of unknown origin was last shown
let timer = 0;
let tooSoon = false; // whether the last press was

let pressed = null; // the button that was pressed last

const within = (target, what) => target.closest?.(what) ?? null;
const near = (one, other) => Math.abs(one - other) < NEAR;
const tapped = ({ left, right, top, bottom }) => left < place.x && place.x < right && top < place.y && place.y < bottom;
const asked = (now) => (now - at < PROMPT ? -AIM : now + SEEN - AIM);

function look(scrolled = false) {
  const now = performance.now();
  const before = buttons;
  const wanted = opening || news === 'own' || (own && !news);
  if (own && news === 'unknown') unknown = now;
  news = '';
  const prompt = wanted && now - at < PROMPT;
  let wait = Infinity;
  buttons = [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button:not(.timer)')].map((button) => {
    const box = button.getBoundingClientRect();
    const { left, top } = box;
    const name = (button.getAttribute('aria-label') ?? button.textContent) + button.getAttribute('value');
    const known = before.find((one) => (scrolled ? one.button === button
      : (one.name === name || (prompt && one.button === button)) && near(one.left, left) && near(one.top, top))); // play, then pause
    const since = known ? known.since : wanted && !tapped(box) ? asked(now) : now;
    const remaining = since + AIM - now;
    button.setAttribute('aria-disabled', String(remaining > 0));
    if (remaining > 0) wait = Math.min(wait, remaining);
    return { button, name, left, top, since };
  });
  clearTimeout(timer);
  if (wait < Infinity) timer = setTimeout(look, wait);
}

/** Take back what an unknown state delayed, if it was the answer to an action of the person. */
function claim() {
  if (shown !== answered) return;
  for (const one of buttons) if (one.since === unknown && !tapped(one.button.getBoundingClientRect())) one.since = asked(unknown);
  look();
}

const acted = () => setTimeout(() => { own -= 1; }); // after the observer

/** Note that the person asks for what changes now. */
function ask() {
  own += 1;
  acted();
}

/** Note that the person pressed or typed. */
function act() {
  at = performance.now();
  ask();
}

addEventListener('pointerdown', ({ clientX: x, clientY: y, target }) => { place = { x, y }; tooSoon = Boolean(within(target, '[aria-disabled=true], [aria-busy]')); }, true);
addEventListener('click', (event) => {
  const { target } = event;
  if (within(target, '[aria-busy]') || (tooSoon && event.detail)) { // keys aim at no place, and have no detail
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  pressed = within(target, 'button');
  opening = false;
  act();
}, true);
for (const type of ['keydown', 'input', 'change']) addEventListener(type, act, true);
addEventListener('keydown', () => { place = {}; }, true);
new MutationObserver(() => look()).observe(document, { subtree: true, childList: true, attributeFilter: ['open', 'hidden', 'data-pads'] });
addEventListener('scroll', () => look(true), true);
addEventListener('resize', () => look(true));
setTimeout(() => { opening = false; }, AIM);

const sheet = el('dialog', { id: 'sheet' });
const refusal = el('p', { id: 'refusal', class: 'error', role: 'alert', onclick: () => refuse('') }); // on the sheet while that is open, which covers all else
document.body.append(sheet, refusal);

let shown = null; // the id of the state that the page shows
let opened = null; // the id of the state shown when the sheet was filled

/** Note the state that the page shows: a command is refused if others have since changed what it would overwrite. */
export function setShownState(id) {
  if (id !== shown) news = id === answered ? 'own' : 'unknown';
  shown = id;
}

/** The state that the person sees: an open sheet's may be older than the page's behind it. */
export const seen = () => (sheet.open ? opened : shown);

/** Note that the sheet shows the page's newest state, or the newer state `id`. */
export const sheetIsNew = (id = 0) => { opened = Math.max(shown, id); };

/** The sheet's content: a new node each time it is opened. */
export const onSheet = () => sheet.firstChild;

/** Save a `Blob` as a file of this name. */
export function download(blob, name) {
  const link = el('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

/** Open the sheet with this title and content, unasked. */
export function fillSheet(title, ...content) {
  put(sheet,
    el('header', el('h2', { id: 'sheet-title' }, title),
      el('button.quiet', { onclick: closeSheet, 'aria-label': say('Close') }, '✕')),
    el('div.sheet-body', content.flat()), refusal);
  sheet.setAttribute('aria-labelledby', 'sheet-title');
  sheetIsNew();
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0; // the earlier content may have been scrolled down
}

/** The same for somebody who asked for it. */
export function openSheet(...content) {
  ask();
  fillSheet(...content);
}

/** Open the sheet with what `build()` fetches for it. */
export async function openFetched(title, build) {
  const place = el('div', { 'aria-live': 'polite' }, say('One moment …'));
  openSheet(title, place);
  await attempt(async () => put(place, await build()));
}

export function closeSheet() {
  ask();
  sheet.close();
}

/** Say on the sheet, in place of its content, why it has none any more. */
export function emptySheet(why) {
  const [, body] = sheet.children;
  body.style.minHeight = `${body.offsetHeight}px`;
  put(body, el('p', { role: 'alert' }, why), el('button', { onclick: closeSheet }, say('Close')));
}

sheet.addEventListener('close', () => document.body.append(refusal));
sheet.addEventListener('click', ({ target }) => { if (target === sheet && !sheet.querySelector('[aria-disabled=true]')) closeSheet(); });

/** The makers of buttons for what refusals offer, by its name. */
export const offers = {};

/** Show why something was refused, and a button for what it offers, until it is tapped or something else is attempted. */
export const refuse = (why, offer = '') => put(refusal, why, offers[offer]?.());

/** Do something that may be refused. The button that asked for it takes no other tap meanwhile. Returns whether it was done. */
export async function attempt(action) {
  const by = pressed;
  refuse('');
  own += 1;
  by?.setAttribute('aria-busy', true);
  try {
    await action();
    return true;
  } catch (error) {
    refuse(error.message, error.offer);
    return false;
  } finally {
    claim();
    acted();
    by?.removeAttribute('aria-busy');
  }
}

/** A button for something that may be refused; `words`: its name where its label says less. */
export const button = (label, action, kind = '', words = null, disabled = false) => el('button', { class: kind, disabled, onclick: () => attempt(action), 'aria-label': words }, label);

/** One of a sheet's actions below each other; `why`: what it is for. */
export const tool = (name, action, why = '') => button([name, why && el('small', why)], action, 'tool');

/** The values of the named fields of a form, or of a part of it, that fit: of text without spaces around it, of numbers or
 *  null, of boxes whether they are ticked. A name with a point is a member's: `seats.1`.
 *
 *  @returns {Record<string, any>} */
export function valuesOf(part, fits = () => true) {
  const values = {};
  for (const input of [...part.querySelectorAll('[name]:is(:checked, :not([type=radio]))')].filter(fits)) {
    const { name, type, value, checked } = input;
    const [first, member] = name.split('.');
    const given = type === 'checkbox' ? checked : type === 'number' ? number(value) : type === 'text' ? value.trim() : value;
    if (member) (values[first] ??= {})[member] = given;
    else values[first] = given;
  }
  return values;
}

const number = (value) => (value === '' ? null : Number(value));

/** A form with the fields `content`, whose values `action` gets. */
export const form = (label, action, ...content) => el('form', { autocomplete: 'off', onsubmit: (event) => {
  event.preventDefault();
  attempt(() => action(valuesOf(event.target)));
} }, content, el('button.main', { type: 'submit' }, label));

/** Open a sheet with one form, which closes when `action` is done unless it has opened another. */
export const openForm = (title, label, action, ...content) => openSheet(title, form(label, async (values) => {
  const from = onSheet();
  await action(values);
  if (from === onSheet()) closeSheet();
}, ...content));

export const field = (label, input) => el('label.field', el('span', label), input);

/** A line of text. */
export const textField = (name, label, attributes = {}) => field(label, el('input', { name, ...attributes }));

/** A whole number with a button either side, for thumbs. */
export function numberField(name, label, value, most, step = 1, least = 0) {
  const input = el('input', { name, type: 'number', inputmode: 'numeric', value: value ?? '', min: least, max: most, step, required: value !== null });
  const by = (sign, words) => el('button', {
    'aria-label': `${label}: ${words}`,
    onclick: () => input.stepUp(sign),
  }, sign > 0 ? '+' : '−');
  return el('div.field', el('label', el('span', label), input),
    el('div.steps', by(-1, say('one less')), by(1, say('one more'))));
}

export const select = (options, chosen, attributes = {}) => el('select', attributes, options.map(([value, label]) => el('option', { value, selected: value === chosen }, label)));

/** A box to tick. */
export const check = (name, label, checked = false, attributes = {}) => el('label.check',
  el('input', { name, type: 'checkbox', checked, ...attributes }), el('span', label));

/** A choice of one, as buttons side by side. */
export const choice = (name, label, options, chosen, onchange = null) => el('fieldset.choice', { onchange }, el('legend', label),
  el('div', options.map(([value, words]) => el('label', el('input', { type: 'radio', name, value, checked: value === chosen }), el('span', words)))));

/** A function whose module is fetched at its first call, so that pages load without rarely used parts. */
export const onDemand = (load, name) => (...values) => load().then((module) => module[name](...values),
  () => refuse(NO_ANSWER));
