// Follows the state, reconnects after every loss, and shows whether the page is live.

import { byId, firstState, page, unpressed } from './dom.js';
import { language, locale, say } from './words.js';

const RETRY = 2000; // milliseconds until a retry once the browser has given up

const REBOOT = 2; // seconds by which the table's clock may seem to go back because a message was slow

/** The table's steady clock minus this page's, in seconds. Messages are late, never early, so the largest difference is the
 *  best estimate. */
export let offset = -Infinity;

function keepTime({ clock }) {
  const seen = clock - performance.now() / 1000;
  if (seen > offset || seen < offset - REBOOT) offset = seen;
}
keepTime({ clock: page.dataset.clock });

/** Apply changes to a state: changed members, and for lists changed rows by id and the new order. */
function after(state, { members, rows, order }) {
  const next = { ...state, ...members };
  for (const [member, lines] of Object.entries(rows)) {
    const now = new Map(state[member].map((line) => [line.id, line]));
    lines.forEach((line) => now.set(line.id, { ...now.get(line.id), ...line }));
    next[member] = order[member] ? order[member].map((id) => now.get(id)) : [...now.values()];
  }
  return next;
}

/** Show the state firstState in the page, then each new one, and a banner while the page is not live. */
export function live(show) {
  const banner = byId('banner');
  let heardAt = null;
  let source = null;
  let state = null; // the last one received
  let alive = false;
  let watchdog;
  let retry;

  function heard() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => { lost(); connect(); }, Number(page.dataset.silence) * 1000);
  }

  function lost() {
    alive = false;
    showLive();
  }

  function showLive() {
    page.dataset.live = alive ? 'yes' : 'no';
    if (!banner || (alive && banner.hidden)) return;
    banner.hidden = alive;
    if (alive) return;
    banner.textContent = heardAt
      ? say('Not live. This is how it stood at {time}. Trying again …', { time: heardAt.toLocaleTimeString(locale) })
      : say('Not live. There is no answer. Trying again …');
  }

  /** Redraw nothing while something is pressed, so that a command is sent with the state that the person saw. */
  function received(now) {
    heard();
    state = now;
    alive = true;
    unpressed(page, () => {
      heardAt = new Date();
      show(state);
      page.dataset.state = state.id;
      showLive();
    });
  }

  function leave() {
    clearTimeout(watchdog);
    clearTimeout(retry);
    source?.close();
  }

  function connect() {
    leave();
    // a club sends changes, a table always its whole state
    source = new EventSource(`/events?language=${language}&mark=${page.dataset.mark}`);
    source.addEventListener('unchanged', () => received(firstState()));
    source.addEventListener('message', ({ data }) => received(JSON.parse(data)));
    source.addEventListener('changes', ({ data }) => received(after(state, JSON.parse(data))));
    source.addEventListener('beat', ({ data }) => { heard(); keepTime(JSON.parse(data)); });
    source.addEventListener('version', ({ data }) => { if (data !== page.dataset.version) location.reload(); }); // the program was updated
    source.addEventListener('error', () => {
      lost();
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY);
    });
    heard();
  }

  // A hidden page disconnects, to leave its place to others.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) { leave(); lost(); } else connect();
  });
  if (banner) banner.textContent = say('Connecting …');
  show(firstState());
  connect();
}
