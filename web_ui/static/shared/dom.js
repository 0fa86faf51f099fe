// Making elements. All text is set as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const page = document.documentElement;
export const embedded = (id) => JSON.parse(document.getElementById(id).textContent);
export const byId = (id) => document.getElementById(id);

/** Children, however deep in lists, without those that a condition left out. */
const present = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...present(children));
  return element;
}

/** An HTML element: attributes by name, listeners as `onclick`, children as elements or text. */
export const el = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);

/** The same for SVG. */
export const svg = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

const LONGEST = 3000; // milliseconds: what is held down for longer holds nothing back, nor does an end that was never heard
const CLICK = 300; // milliseconds from a finger's end to its click; without one, it was none

const presses = new Map(); // by pointer or key: the element that is held down, whether it was let go, and what forgets it
const late = new Map(); // by node: what fills it as soon as nothing in it is pressed

/** Call `draw` now, or as soon as nothing in `node` is pressed: a node that is exchanged between press and release loses
 *  the click. A later call for the same node replaces the earlier one. */
export function unpressed(node, draw) {
  late.delete(node);
  if ([...presses.values()].some(({ target }) => node.contains(target))) late.set(node, draw);
  else draw();
}

const drawLate = () => [...late].forEach(([node, draw]) => { if (late.get(node) === draw) unpressed(node, draw); });

function forget(which) {
  clearTimeout(presses.get(which)?.end);
  presses.delete(which);
  setTimeout(drawLate); // once the click has been answered
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

/** Fill a node with `build()` when `value` has changed since the last time, else leave what a person may be touching.
 *  What is pressed is filled once it is released. True when it was filled. */
export function refresh(node, value, build) {
  const key = JSON.stringify(value);
  let renewed = false;
  unpressed(node, () => {
    if (shown.get(node) === key) return;
    shown.set(node, key);
    const back = focusIn(node);
    node.replaceChildren(...present([build()]));
    back();
    renewed = true;
  });
  return renewed;
}

/** What puts the focus back where it was in a node, once that is filled anew: on the control of the same kind and name. */
function focusIn(node) {
  const { activeElement: active } = document;
  if (active === node || !node.contains(active)) return () => {};
  const name = (one) => one.getAttribute('aria-label') ?? one.textContent;
  const alike = () => [...node.querySelectorAll(active.tagName)].filter((one) => one.className === active.className);
  const place = alike().indexOf(active);
  return () => {
    const now = alike();
    const one = now.find((other) => name(other) === name(active)) ?? now[place];
    (one?.disabled ? node.querySelector('button:enabled') : one)?.focus({ preventScroll: true });
  };
}

/** What this browser remembers between visits; nothing where it does not allow that. */
export const remembered = {
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* private windows */ } },
};
