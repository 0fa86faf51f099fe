// Keeps the phone's screen on: over https with the browser's wake lock; on plain http a scorer's page plays a silent video
// instead, as NoSleep.js does, started by a touch.

import { el, remembered } from './dom.js';
import { mayScore } from './commands.js';

const NAME = 'silent-video';
const BACK = 1; // s before its end at which the video is sent back to its start
const asks = Boolean(navigator.wakeLock);

let lock = null;
let video = null;

async function hold() {
  if (document.hidden || (lock && !lock.released)) return;
  try {
    lock = await navigator.wakeLock.request('screen');
  } catch { /* low battery: the phone decides */ }
}

/** Whether a video keeps the screen on: not over https, and not if the scorer has switched it off. */
export const byVideo = () => !asks && remembered.get(NAME) !== 'no';

const wanted = () => byVideo() && mayScore() && !document.hidden;

// Chromium keeps the screen on for a video that is not muted and has a sound track, however small and silent
// (VideoWakeLock::ShouldBeActive). WebKit does so unless it has the attribute `loop`, so it is sent back instead. Shorter
// than 5 s, it is no music to Android: what the phone plays goes on, and no player is shown in its notifications.
function silentVideo() {
  const source = (kind) => el('source', { src: new URL(`../awake.${kind}`, import.meta.url), type: `video/${kind}` });
  const element = el('video.awake', { playsinline: true, disableremoteplayback: true, 'aria-hidden': 'true', tabindex: -1 }, source('webm'), source('mp4'));
  element.addEventListener('timeupdate', () => {
    if (!wanted()) element.pause();
    else if (element.currentTime > element.duration - BACK) element.currentTime = 0;
  });
  document.body.append(element);
  return element;
}

function play() {
  if (!wanted()) { video?.pause(); return; }
  video ??= silentVideo();
  if (video.paused) video.play().catch(() => {}); // without a touch or the codec, the phone's own setting applies
}

/** Switch the video on or off, and remember it. Call it from a touch. */
export function setByVideo(on) {
  remembered.set(NAME, on ? 'yes' : 'no');
  play();
}

/** Keep the screen on from now on. */
export function stayAwake() {
  const step = asks ? hold : play;
  document.addEventListener('visibilitychange', step);
  document.addEventListener('click', step);
  step();
}
