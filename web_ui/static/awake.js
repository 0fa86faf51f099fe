// The phone's screen stays on while the page is looked at, where the browser lets a page ask for that.

let lock = null;

async function hold() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request('screen');
  } catch { /* low battery: the phone decides */ }
}

/** Keep the screen on from now on. */
export function stayAwake() {
  if (!navigator.wakeLock) return;
  document.addEventListener('visibilitychange', hold);
  document.addEventListener('click', hold);
  hold();
}
