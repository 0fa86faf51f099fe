// Creates and updates elements. Text is always set as text, never as markup.

import { joined } from './words.js';

const SVG = 'http://www.w3.org/2000/svg';

export const page = document.documentElement;
/** The state that came with the page. */
export const firstState = () => JSON.parse(byId('state').textContent);
export const byId = (id) => document.getElementById(id);

/** What this page's address asks for. */
export const options = new URLSearchParams(location.search);

/** What the server says to this page alone. */
export const settings = document.querySelector('main')?.dataset ?? {};

/** The row of a list that has this id. */
export const withId = (rows, id) => rows?.find((row) => row.id === id);

const isPresent = (part) => (part ?? false) !== false;

/** Flatten nested lists of children, and drop those that a condition left out. */
const present = (children) => children.flat(Infinity).filter(isPresent);

const handlers = new WeakMap(); // of each element: its listeners, by their attributes

const maker = (create) => (tag, ...content) => {
  const [name, ...classes] = tag.split('.');
  const element = create(name);
  if (name === 'button') element.type = name; // only a form's own button submits it
  const { class: more, ...attributes } = content[0]?.constructor === Object ? content.shift() : {};
  const own = {};
  handlers.set(element, own);
  const all = joined([...classes, more], ' ');
  if (all) element.setAttribute('class', all);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (!isPresent(value)) continue;
    if (attribute.startsWith('on')) {
      own[attribute] = value;
      element.addEventListener(attribute.slice(2), (event) => own[attribute](event));
    } else element.setAttribute(attribute, value === true ? '' : value);
  }
  element.append(...present(content));
  return element;
};

/** An HTML element as `el('p.hint', attributes, ...children)`: classes after its tag; attributes by name if there are any,
 *  `class` for further classes, listeners as `onclick`; children as elements or text. */
export const el = maker((tag) => document.createElement(tag));

/** An element of this kind around each part. */
export const each = (tag, parts) => parts.map((one) => el(tag, one));

/** A link; `kind`: its classes. */
export const link = (href, words, kind = null) => el('a', { href, class: kind }, words);

/** What scrolls sideways on a narrow screen. */
export const wide = (content) => el('div.wide', { tabindex: 0 }, content);

/** What is folded away below its `summary`; with an id it stays unfolded when its place is filled again. */
export const folded = (summary, content, attributes = {}) => el('details', attributes, el('summary', summary), content);

/** A table's line of headings. */
export const headings = (words) => el('tr', words.map((one) => el('th', { scope: 'col' }, one)));

/** A table with a line of headings, the lines `rows`, and what stands `above` both. */
export const table = (heads, rows, above) => el('table', above, el('thead', headings(heads)), el('tbody', rows));

/** Replace a node's content; children as for `el`. */
export const put = (node, ...content) => node.replaceChildren(...present(content));

/** The same for SVG. */
export const svg = maker((tag) => document.createElementNS(SVG, tag));

const LONGEST = 3000; // milliseconds after which a press no longer delays redrawing, in case its release was missed
const CLICK = 300; // milliseconds to wait for the click after a finger is lifted

const presses = new Map(); // by pointer or key: the pressed element, whether it was released, and the timer that forgets it
const late = new Map(); // by node: how to fill it once nothing in it is pressed

/** Call `draw` now, or as soon as nothing in `node` is pressed: an element replaced between press and release loses the
 *  click. A later call for the same node replaces the earlier one. */
export function unpressed(node, draw) {
  late.delete(node);
  if ([...presses.values()].some(({ target }) => node.contains(target))) late.set(node, draw);
  else draw();
}

const drawLate = () => [...late].forEach(([node, draw]) => { if (late.get(node) === draw) unpressed(node, draw); });

function forget(which) {
  clearTimeout(presses.get(which)?.end);
  presses.delete(which);
  setTimeout(drawLate); // after the click was handled
}

function hold(which, target, up, most) {
  clearTimeout(presses.get(which)?.end);
  presses.set(which, { target, up, end: setTimeout(forget, most, which) });
}

const letGo = (which) => { if (presses.has(which)) hold(which, presses.get(which).target, true, CLICK); };

addEventListener('pointerdown', ({ pointerId, target }) => hold(pointerId, target, false, LONGEST), true);
addEventListener('pointerup', ({ pointerId }) => letGo(pointerId), true);
addEventListener('pointercancel', ({ pointerId }) => forget(pointerId), true);
addEventListener('keydown', ({ key, repeat, target }) => { if (key === ' ' && !repeat) hold(key, target, false, LONGEST); }, true);
addEventListener('keyup', ({ key }) => letGo(key), true);
addEventListener('click', () => presses.forEach(({ up }, which) => { if (up) forget(which); }), true);

const shown = new WeakMap();
const written = new XMLSerializer();

/** Make elements that look like those of `next` do what those would do. They have listeners of the same kinds. */
const adopt = (now, next) => next.forEach((one, i) => {
  Object.assign(handlers.get(now[i]) ?? {}, handlers.get(one));
  adopt(now[i]?.childNodes ?? [], [...one.childNodes ?? []]);
});

/** Fill a node, or the one with this id, with what `build()` makes; if that looks like what it was last filled with, only the
 *  listeners are renewed. A pressed node is filled after its release. `value`: what it depends on, where it is long or its
 *  listeners know its elements: then it is built and filled only if this has changed. Returns whether it was filled at once. */
export function refresh(place, build, value) {
  const node = place.nodeType ? place : byId(place);
  let renewed = false;
  unpressed(node, () => {
    const made = value === undefined && present([build()]);
    const key = JSON.stringify(made ? made.map((one) => (one.nodeType ? written.serializeToString(one) : one)) : value);
    if (shown.get(node) === key) {
      if (made) adopt(node.childNodes, made);
      return;
    }
    shown.set(node, key);
    refill(node, made || build());
    renewed = true;
  });
  return renewed;
}

/** Replace a node's content. Its named lists stay unfolded, and the focus goes to the control of the same kind and name. */
export function refill(node, ...content) {
  const unfolded = [...node.querySelectorAll('details[open][id]')];
  const focus = focusIn(node);
  put(node, ...content);
  unfolded.forEach(({ id }) => byId(id)?.setAttribute('open', ''));
  focus();
}

function focusIn(node) {
  const { activeElement: active } = document;
  if (active === node || !node.contains(active)) return () => {};
  const name = (one) => one.getAttribute('aria-label') ?? one.textContent;
  const similar = () => [...node.querySelectorAll(active.tagName)].filter((one) => one.className === active.className);
  const place = similar().indexOf(active);
  return () => {
    const now = similar();
    const one = now.find((other) => name(other) === name(active)) ?? now[place];
    (one?.disabled ? node.querySelector('button:enabled') : one)?.focus({ preventScroll: true });
  };
}

/** The browser's local storage; empty if it is not allowed. */
export const remembered = {
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* private windows */ } },
};
