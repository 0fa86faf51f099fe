// Creates and updates elements. Text is always set as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const page = document.documentElement;
export const embedded = (id) => JSON.parse(document.getElementById(id).textContent);
export const byId = (id) => document.getElementById(id);

/** Flatten nested lists of children, and drop those that a condition left out. */
const present = (children) => children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

const maker = (create) => (tag, ...content) => {
  const [name, ...classes] = tag.split('.');
  const element = create(name);
  if (classes.length) element.setAttribute('class', classes.join(' '));
  if (name === 'button') element.type = name; // only a form's own button submits it
  const attributes = content[0]?.constructor === Object ? content.shift() : {};
  for (const [attribute, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (attribute.startsWith('on')) element.addEventListener(attribute.slice(2), value);
    else element.setAttribute(attribute, value === true ? '' : value);
  }
  element.append(...present(content));
  return element;
};

/** An HTML element as `el('p.hint', attributes, ...children)`: classes after its tag; attributes by name if there are any,
 *  listeners as `onclick`; children as elements or text. */
export const el = maker((tag) => document.createElement(tag));

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

/** Fill a node with `build()` if `value` has changed since the last call; a pressed node is filled after its release.
 *  Returns whether it was filled at once. */
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

/** Returns a function that restores the focus after a node was refilled: to the control of the same kind and name. */
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
