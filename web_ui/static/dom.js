// Making elements, and the texts that they show. All text is set as text, never as markup.

const SVG = 'http://www.w3.org/2000/svg';

export const embedded = (id) => JSON.parse(document.getElementById(id).textContent);
export const byId = (id) => document.getElementById(id);

const texts = embedded('texts');

/** The text of an id, its {braces} filled in. */
export function text(id, values = {}) {
  return texts[id].replace(/\{(\w+)\}/g, (_, name) => values[name]);
}

export const hasText = (id) => id in texts;

const present = (children) => children.flat().filter((child) => child !== null && child !== undefined && child !== false);

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

/** Fill a node with `build()`, but only when `value` is another than last time: what a person touches stays.
 *  True when it was filled. */
export function refresh(node, value, build) {
  const key = JSON.stringify(value);
  if (shown.get(node) === key) return false;
  shown.set(node, key);
  node.replaceChildren(...present([build()]));
  return true;
}

/** A length with its sign, to a tenth of a millimetre. */
export const millimetres = (value) => (Math.abs(value) < 0.05 ? '0.0' : value.toFixed(1)).replace('-', '−');
