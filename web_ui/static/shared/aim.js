// A tap is for what was under the thumb when it was aimed: a button that an update brings, moves or renames takes no tap for a
// second. What a person asked for takes taps at once, except where the last tap was: another may follow it.

const AIM = 1000; // milliseconds from aiming to tapping
const NEAR = 24; // pixels that a button may move and still be under the thumb

let seen = []; // the buttons when last looked at: what each is, where, and since when
let place = {}; // of the last tap
let own = true; // whether the person asked for what changes now
let timer = 0;

/** The button that was pressed last. */
export let pressed = null;

const isLate = (target) => Boolean(target.closest?.('[aria-disabled=true], [aria-busy]'));
const near = (one, other) => Math.abs(one - other) < NEAR;

function look(scrolled = false) {
  const now = performance.now();
  const before = seen;
  let late = false;
  seen = [...(document.querySelector('dialog[open]') ?? document).querySelectorAll('button:not(.timer)')].map((button) => {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const name = (button.getAttribute('aria-label') ?? button.textContent) + button.value;
    const known = before.find((one) => (scrolled ? one.button === button : one.name === name && near(one.left, left) && near(one.top, top)));
    const awaited = own && !(left < place.x && place.x < right && top < place.y && place.y < bottom);
    const since = known ? known.since : awaited ? -AIM : now;
    button.setAttribute('aria-disabled', now < since + AIM);
    late ||= now < since + AIM;
    return { button, name, left, top, since };
  });
  clearTimeout(timer);
  if (late) timer = setTimeout(look, AIM);
}

/** Change what the person asked for, once the table has answered. */
export function asked(change) {
  own = true;
  change();
  queueMicrotask(() => { own = false; }); // after the observer
}

let late = false; // whether the press came too soon
addEventListener('pointerdown', ({ clientX: x, clientY: y, target }) => { place = { x, y }; late = isLate(target); }, true);
addEventListener('click', (event) => {
  if (isLate(event.target) || (late && event.detail)) {
    event.preventDefault();
    event.stopImmediatePropagation();
    return;
  }
  pressed = event.target.closest('button');
  own = true;
  setTimeout(() => { own = false; });
}, true);
new MutationObserver(() => look()).observe(document, { subtree: true, childList: true, attributeFilter: ['open', 'hidden', 'data-pads'] });
addEventListener('scroll', () => look(true), true);
addEventListener('resize', () => look(true));
setTimeout(() => { own = false; }, AIM); // a page that opens
