// The state after every change, and whether it is live. Heals by itself after any loss.

const RETRY = 2000; // milliseconds, where the browser has given up by itself

/** Call `onState(state)` with each new state and `onLive(bool)` when the connection comes or goes. */
export function follow(silenceSeconds, onState, onLive) {
  let source = null;
  let watchdog = 0;
  let retry = 0;

  function heard() {
    clearTimeout(watchdog);
    watchdog = setTimeout(() => { onLive(false); connect(); }, silenceSeconds * 1000);
  }

  function leave() {
    clearTimeout(watchdog);
    clearTimeout(retry);
    source?.close();
  }

  function connect() {
    leave();
    source = new EventSource('/events');
    source.addEventListener('message', (event) => {
      heard();
      onState(JSON.parse(event.data));
      onLive(true);
    });
    source.addEventListener('beat', heard);
    source.addEventListener('error', () => {
      onLive(false);
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RETRY);
    });
    heard();
  }

  // A hidden page leaves its place to others; shown again, it starts with the newest state.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) { leave(); onLive(false); } else connect();
  });
  connect();
}
