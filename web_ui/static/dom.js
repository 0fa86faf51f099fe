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

const shown = new WeakMap();

/** Fill a node with `build()` when `value` has changed since the last time, else leave what a person may be touching.
 *  True when it was filled. */
export function refresh(node, value, build) {
  const key = JSON.stringify(value);
  if (shown.get(node) === key) return false;
  shown.set(node, key);
  node.replaceChildren(...present([build()]));
  return true;
}

/** What this browser remembers between visits; nothing where it does not allow that. */
export const remembered = {
  get(name) { try { return localStorage.getItem(name); } catch { return null; } },
  set(name, value) { try { localStorage.setItem(name, value); } catch { /* private windows */ } },
};
