// A shot as the camera followed it, on the drawn board: each disc goes its real way in its real time.
//
// The board under it shows the state after the shot, and the film only moves what is drawn there: when it ends, or is
// taken away, the board shows that state and nothing else.

import { BOARD, discShape } from './board.js';
import { svg } from './dom.js';

const OUT = 0.25; // s in which a disc that left the surface goes out over the edge
const DOWN = 0.12; // s in which one falls into the hole
const BEYOND = BOARD.ditch - BOARD.disc; // mm from the hole: where it lies then
const UNSEEN = 0.35; // opacity of a disc that is out of sight

const at = (x, y) => `translate(${x}px, ${-y}px)`;

/** What comes after a track's last point: [seconds, x, y, opacity] each. */
function ending({ ended, points }) {
  const [t, x, y] = points.at(-1);
  if (ended === 'hole') return [[t + DOWN, 0, 0, 1], [t + 2 * DOWN, 0, 0, 0]];
  if (ended === 'left') {
    const out = BEYOND / Math.max(Math.hypot(x, y), 1);
    return [[t + OUT, x * out, y * out, 1], [t + 2 * OUT, x * out, y * out, 0]];
  }
  return ended === 'rest' ? [] : [[t + 0.01, x, y, UNSEEN]];
}

/** Where a disc is at each time: [seconds, x, y, opacity]. `lies` is it on the board after the shot, if it lies there. */
function way(track, lies) {
  const seen = track.points.map(([t, x, y]) => [t, x, y, 1]);
  if (!lies) return [...seen, ...ending(track)];
  const [t] = seen.at(-1);
  if (track.ended === 'rest') return [...seen.slice(0, -1), [t, lies.x, lies.y, 1]]; // as the still board was read
  return track.ended === 'hole' ? [...seen, [t + DOWN, lies.x, lies.y, 1]] : [...seen, ...ending(track)];
}

const lengthOf = (tracks, contacts) => Math.max(...tracks.flatMap((track) => [...track.points, ...ending(track)]).map(([t]) => t), ...contacts.map(({ t }) => t), 0.1);

function keyframes(places, from, length) {
  const frames = places.map(([t, x, y, opacity]) => ({ offset: Math.min(1, Math.max(0, (t - from) / length)), transform: at(x, y), opacity }));
  if (frames[0].offset > 0) frames.unshift({ ...frames[0], offset: 0 });
  if (frames.at(-1).offset < 1) frames.push({ ...frames.at(-1), offset: 1 });
  return frames;
}

/** The film of a shot over the board in `node`, which shows `discs` after it. Stopped at its beginning.
 *  `length` is in seconds; `seek(t)`, `play(speed, milliseconds to wait)`, `pause()`; `onEnd()` is called when it has played to its end;
 *  `remove()` leaves the board as it was. */
export function filmOver(node, discs, { tracks, contacts }) {
  const from = Math.min(0, ...tracks.map(({ points }) => points[0][0]));
  const length = lengthOf(tracks, contacts) - from;
  const layer = node.querySelector('.discs');
  const ghosts = svg('g', { class: 'ghosts' });
  layer.after(ghosts);
  const animations = tracks.map((track) => {
    let group = layer.querySelector(`[data-disc="${track.disc}"]`);
    const lies = group && discs.find((one) => one.id === track.disc);
    if (!lies) {
      group = svg('g', { class: 'disc ghost', 'aria-hidden': 'true' }, discShape(track.side, BOARD.disc));
      ghosts.append(group);
    }
    group.classList.add('moves'); // what is marked on it is true where it lies at the end
    const animation = group.animate(keyframes(way(track, lies), from, length), { duration: length * 1000, fill: 'both' });
    animation.pause();
    return animation;
  });
  const each = (work) => animations.forEach(work);
  const film = {
    from,
    length,
    onEnd: () => {},
    get t() { return (animations[0]?.currentTime ?? 0) / 1000; },
    seek(t) { each((one) => { one.currentTime = t * 1000; }); },
    play(speed, wait = 0) {
      each((one) => {
        one.effect.updateTiming({ delay: wait * speed });
        one.playbackRate = speed;
        one.play();
      });
    },
    pause() { each((one) => one.pause()); },
    remove() {
      each((one) => one.cancel());
      node.querySelectorAll('.moves').forEach((one) => one.classList.remove('moves'));
      ghosts.remove();
    },
  };
  animations[0]?.addEventListener('finish', () => film.onEnd());
  return film;
}

/** The ways of a film as lines on the board. */
export const waysOf = ({ tracks }) => tracks.map(({ points, side }) => svg('polyline', { class: `way side-${side}`, points: points.map(([, x, y]) => `${x},${-y}`).join(' ') }));
