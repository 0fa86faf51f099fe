// The state after every change, and whether it is live. It connects again by itself after any loss.

import { byId, embedded, page, unpressed } from './dom.js';
import { language, locale, say } from './words.js';

const RETRY = 2000; // milliseconds until a new try, when the browser has given up

// For `clock.js`, whenever that is loaded: what the table's steady clock showed, and when this page heard it.
function keepTime({ clock }) {
  Object.assign(page.dataset, { clock, clockAt: performance.now() });
  dispatchEvent(new Event('beat'));
}
keepTime({ clock: page.dataset.clock });

/** A state after what changed in it: members, and by their ids lines of lists and the order of these. */
function after(state, { members, rows, order }) {
  const next = { ...state, ...members };
  for (const [member, lines] of Object.entries(rows)) {
    const now = new Map(state[member].map((line) => [line.id, line]));
    lines.forEach((line) => now.set(line.id, { ...now.get(line.id), ...line }));
    next[member] = order[member] ? order[member].map((id) => now.get(id)) : [...now.values()];
  }
  return next;
}

/** Call `onState(state)` with each new state and `onLive(bool)` when the connection comes or goes. */
function follow(silenceSeconds, onState, onLive) {
  let source = null;
  let state = null; // as it was told last
  let alive = false;
  let watchdog = 0;
  let retry = 0;

  function heard() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => { lost(); connect(); }, silenceSeconds * 1000);
  }

  function lost() {
    alive = false;
    onLive(false);
  }

  /** What is pressed stays as it is seen until its release, and is sent with the state that was seen. */
  function told(now) {
    heard();
    state = now;
    alive = true;
    unpressed(page, () => { onState(state); onLive(alive); });
  }

  function leave() {
    clearTimeout(watchdog);
    clearTimeout(retry);
    source?.close();
  }

  function connect() {
    leave();
    // a club tells changes, which `after` takes; a table always tells its whole state
    source = new EventSource(`/events?language=${language}`);
    source.addEventListener('message', ({ data }) => told(JSON.parse(data)));
    source.addEventListener('changes', ({ data }) => told(after(state, JSON.parse(data))));
    source.addEventListener('beat', ({ data }) => { heard(); keepTime(JSON.parse(data)); });
    source.addEventListener('version', ({ data }) => { if (data !== page.dataset.version) location.reload(); }); // the program was updated
    source.addEventListener('error', () => {
      lost();
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY);
    });
    heard();
  }

  // A hidden page leaves its place to others; shown again, it starts with the newest state.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) { leave(); lost(); } else connect();
  });
  connect();
}

/** Show the state that came with the page, then each new one; say on the banner when it is not live. */
export function live(show) {
  const banner = byId('banner');
  let heardAt = null;

  function onState(state) {
    heardAt = new Date();
    show(state);
    page.dataset.state = state.id;
  }

  function onLive(is) {
    page.dataset.live = is ? 'yes' : 'no';
    if (!banner) return;
    banner.hidden = is;
    if (is) return;
    banner.textContent = heardAt
      ? say('Not live. This is how it stood at {time}. Trying again …', { time: heardAt.toLocaleTimeString(locale) })
      : say('Not live. There is no answer. Trying again …');
  }

  if (banner) banner.textContent = say('Connecting …');
  show(embedded('state'));
  follow(Number(page.dataset.silence), onState, onLive);
}
