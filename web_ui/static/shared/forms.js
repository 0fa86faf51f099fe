// The sheet that slides in, and the forms on it. A form keeps what was typed when the table refuses it.

import { el } from './dom.js';
import { say } from './words.js';

const sheet = el('dialog', { id: 'sheet' });
document.body.append(sheet);

let shown = null; // the state that the page shows
let opened = null; // the one that it showed when the sheet was filled

/** Note which state the page shows. A command is refused when others have changed what it overwrites since then. */
export const looksAt = (id) => { shown = id; };

/** The state that the page shows. */
export const looked = () => shown;

/** Which state the person looks at. An open sheet still shows the one with which it was filled, the page behind it not. */
export const seen = () => (sheet.open ? opened : shown);

/** Note that the sheet shows the page's newest state, or the state `id` that the person was just told. */
export const sheetIsNew = (id = 0) => { opened = Math.max(shown, id); };

/** What the sheet shows: another node each time that it is opened. */
export const onSheet = () => sheet.firstChild;

/** Open the sheet with a title and content, in place of what it showed. */
export function openSheet(title, ...content) {
  sheet.replaceChildren(
    el('header', {}, el('h2', { id: 'sheet-title' }, title),
      el('button', { type: 'button', class: 'quiet', onclick: closeSheet, 'aria-label': say('Close') }, '✕')),
    el('div', { class: 'sheet-body' }, content.flat()));
  sheet.setAttribute('aria-labelledby', 'sheet-title');
  sheetIsNew();
  if (!sheet.open) sheet.showModal();
  sheet.scrollTop = 0; // it may have been scrolled down to what opened this one
}

export function closeSheet() {
  sheet.close();
}

sheet.addEventListener('click', (event) => { if (event.target === sheet) closeSheet(); });

/** Do something that may be refused; the words of the refusal go into `place`. True when it was done. */
export async function attempt(place, action) {
  place.textContent = '';
  try {
    await action();
    return true;
  } catch (error) {
    place.textContent = error.message;
    return false;
  }
}

export const errorPlace = () => el('p', { class: 'error', role: 'alert' });

/** A form whose fields are `content`; `action()` throws to refuse, and its words are shown. */
export function form(label, action, ...content) {
  const error = errorPlace();
  const button = el('button', { class: 'main' }, label);
  const element = el('form', {}, ...content, error, button);
  element.addEventListener('submit', async (event) => {
    event.preventDefault();
    button.disabled = true;
    await attempt(error, action);
    button.disabled = false;
  });
  return element;
}

export const field = (label, input) => el('label', { class: 'field' }, el('span', {}, label), input);

/** A whole number with a button either side, for thumbs. */
export function numberField(label, value, most, step = 1, least = 0) {
  const input = el('input', { type: 'number', inputmode: 'numeric', value, min: least, max: most, step, required: true });
  const by = (sign, words) => el('button', {
    type: 'button', 'aria-label': `${label}: ${words}`,
    onclick: () => { input.value = Math.min(most, Math.max(least, Number(input.value) + sign * step)); },
  }, sign > 0 ? '+' : '−');
  const now = () => Number(input.value);
  return { input, value: now, changed: () => now() !== value, element: el('div', { class: 'field' }, el('label', {}, el('span', {}, label), input),
    el('div', { class: 'steps' }, by(-1, say('one less')), by(1, say('one more')))) };
}

export function select(options, chosen) {
  return el('select', {}, options.map(([value, label]) => el('option', { value, selected: value === chosen }, label)));
}

/** One of a few, as buttons side by side. */
export function choice(name, label, options, chosen) {
  const radios = options.map(([value, words]) => el('label', {},
    el('input', { type: 'radio', name, value, checked: value === chosen }), el('span', {}, words)));
  const element = el('fieldset', { class: 'choice' }, el('legend', {}, label), el('div', {}, radios));
  return { element, value: () => element.querySelector('input:checked').value };
}

/** A function whose module is fetched at its first call, so that pages load without what is seldom used. */
export const onDemand = (load, name) => (...values) => load().then((module) => module[name](...values),
  () => openSheet(say('The table did not answer. Check the score before you try again.')));
