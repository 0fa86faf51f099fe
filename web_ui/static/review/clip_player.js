// Plays a clip, the camera's small pictures of a shot, slowly in a loop that can be stopped.
//
// A clip is a line of JSON and then JPEG pictures, one after the other. A canvas shows them: every browser decodes JPEG,
// so the table encodes no video, and the loop can stop at any picture.

import { getFile } from '../shared/commands.js';
import { el } from '../shared/dom.js';
import { decimal, say } from '../shared/words.js';

const SPEED = 0.5;
const REST = 1; // s that the last picture stays before the loop restarts

/** The pictures of a clip: {width, height, t, pictures}. Throws an error with a message. */
export async function load(name) {
  const bytes = new Uint8Array(await (await getFile(`/clip/${encodeURIComponent(name)}`)).arrayBuffer());
  const end = bytes.indexOf(10);
  const about = JSON.parse(new TextDecoder().decode(bytes.subarray(0, end)));
  let from = end + 1;
  const pictures = await Promise.all(about.bytes.map((length) => {
    from += length;
    return createImageBitmap(new Blob([bytes.subarray(from - length, from)], { type: 'image/jpeg' }));
  }));
  return { ...about, pictures };
}

const seconds = (t) => say('{t} s', { t: decimal(t, 1) });

/** The loop and its controls. It starts by itself, except for people who prefer reduced motion. */
export function player(clip) {
  const canvas = el('canvas', { width: clip.width, height: clip.height, role: 'img', 'aria-label': say('The board while something moved, as the camera saw it') });
  const last = clip.t.length - 1;
  const slider = el('input', { type: 'range', min: 0, max: last, value: 0, 'aria-label': say('Picture of the clip'), oninput: () => { play(false); show(Number(slider.value)); } });
  const button = el('button', { onclick: () => play(!playing) });
  let playing = false;
  let begun = 0; // when the first picture was due, on the page's clock

  function show(index) {
    canvas.getContext('2d').drawImage(clip.pictures[index], 0, 0);
    slider.value = index;
    slider.setAttribute('aria-valuetext', seconds(clip.t[index]));
  }

  function step(now) {
    if (!playing || !canvas.isConnected) return;
    const t = (((now - begun) / 1000) * SPEED) % (clip.t[last] + REST * SPEED);
    show(clip.t.findLastIndex((one) => one <= Math.max(0, t)));
    requestAnimationFrame(step);
  }

  function play(wanted) {
    playing = wanted;
    button.textContent = playing ? say('Stop') : say('Play');
    if (!playing) return;
    const from = Number(slider.value) === last ? 0 : clip.t[slider.value];
    begun = performance.now() - (from / SPEED) * 1000;
    requestAnimationFrame(step);
  }

  const node = el('div.clip', canvas, el('div.film-controls', button, slider));
  return { node, begin: () => { show(0); play(!matchMedia('(prefers-reduced-motion: reduce)').matches); } };
}
