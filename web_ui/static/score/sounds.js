// Short sounds for a twenty and for a match's end, made in the browser: two rising notes, and a chord that opens.

import { tapForSound } from './caller.js';

const NOTE = 0.9; // seconds until a note fades out
const LOUD = 0.25; // of full volume
const TUNES = {
  twenty: [[659.3, 0], [987.8, 0.13]], // hertz, seconds after the beginning: e and b
  end: [[523.3, 0], [659.3, 0.16], [784, 0.32], [1046.5, 0.48]], // c, e, g, c
};

let context = null;

/** Enable sounds; if the browser requires a touch first, ask for it. */
export function wantSounds() {
  context = new AudioContext();
  if (context.state === 'suspended') tapForSound(() => context.resume());
}

/** Play a tune, if sounds are enabled and allowed. */
export function play(tune) {
  if (context?.state !== 'running') return;
  for (const [pitch, after] of TUNES[tune]) {
    const begin = context.currentTime + after;
    const tone = new OscillatorNode(context, { type: 'triangle', frequency: pitch });
    const volume = new GainNode(context, { gain: LOUD });
    volume.gain.setValueAtTime(LOUD, begin);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + NOTE);
    tone.connect(volume).connect(context.destination);
    tone.start(begin);
    tone.stop(begin + NOTE);
  }
}
