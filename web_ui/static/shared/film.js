// Plays a filmed shot on the drawn board: each disc moves along its measured path at its measured times.
//
// The film moves the drawn discs and restores them when it is removed. On the live score they are those after the shot; in
// the review those before it, which the player replaces at the end.

import { BOARD, discShape } from './board.js';
import { byId, firstState, put, svg, withId } from './dom.js';

const OUT = 0.25; // s for a disc that left the surface to move out over the edge
const DOWN = 0.12; // s for a disc to fall into the hole
const BEYOND = BOARD.ditch - BOARD.disc; // mm from the hole: a disc's place in the ditch
const UNSEEN = 0.35; // opacity of a disc that is out of sight
const STIRRED = 5; // mm: far more than the noise of two readings

const at = (x, y) => `translate(${x}px, ${-y}px)`;

/** The continuation after a track's last point: [seconds, x, y, opacity] each. */
function ending({ ended, points }) {
  const [t, x, y] = points.at(-1);
  if (ended === 'hole') return [[t + DOWN, 0, 0, 1], [t + 2 * DOWN, 0, 0, 0]];
  if (ended === 'left') {
    const out = BEYOND / Math.max(Math.hypot(x, y), 1);
    return [[t + OUT, x * out, y * out, 1], [t + 2 * OUT, x * out, y * out, 0]];
  }
  return ended === 'rest' ? [] : [[t + 0.01, x, y, UNSEEN]];
}

/** A disc's places: [seconds, x, y, opacity] each. `lay`, `lies`: the disc on the boards before and after, if it is there. */
function way(track, lay, lies) {
  const [[begin]] = track.points;
  const still = lay ? [-Infinity, begin].map((t) => [t, lay.x, lay.y, 1]) : [];
  const seen = [...still, ...track.points.map(([t, x, y]) => [t, x, y, 1])];
  const [t] = seen.at(-1);
  if (lies && track.ended === 'rest') return seen.with(-1, [t, lies.x, lies.y, 1]); // as the still board was read
  return [...seen, ...(lies && track.ended === 'hole' ? [[t + DOWN, lies.x, lies.y, 1]] : ending(track))];
}

/** The start of a film on its own clock, and its length; seconds. */
export function spanOf({ tracks, contacts }) {
  const from = Math.min(0, ...tracks.map(({ points }) => points[0][0]));
  const end = Math.max(...tracks.flatMap((track) => [...track.points, ...ending(track)]).map(([t]) => t), ...contacts.map(({ t }) => t), 0.1);
  return { from, length: end - from };
}

function keyframes(places, from, length) {
  const frames = places.map(([t, x, y, opacity]) => ({ offset: Math.min(1, Math.max(0, (t - from) / length)), transform: at(x, y), opacity }));
  return [{ ...frames[0], offset: 0 }, ...frames, { ...frames.at(-1), offset: 1 }];
}

/** Discs that moved but were not tracked: their places during the film are unknown. */
const unfollowed = (layer, followed, discs) => [...layer.children].filter(({ dataset: { disc, x, y } }) => {
  const lies = withId(discs, disc);
  return !followed.has(disc) && (!lies || Math.hypot(lies.x - x, lies.y - y) > STIRRED);
});

/** The film of a shot over the board in `node`, stopped at its beginning. `discs`: those after the shot; `before`: those
 *  before it, if `node` shows that board.
 *  `seek(t)`, `play(speed, milliseconds to wait)`, `pause()`; `onEnd()` is called at its end;
 *  `remove()` restores the board. */
export function filmOver(node, discs, { tracks, contacts }, before = []) {
  const { from, length } = spanOf({ tracks, contacts });
  const timing = { duration: length * 1000, fill: 'both' };
  const layer = node.querySelector('.discs');
  const ghosts = svg('g.ghosts');
  layer.after(ghosts);
  const animations = tracks.map((track) => {
    let group = layer.querySelector(`[data-disc="${track.disc}"]`);
    const [lay, lies] = [before, discs].map((board) => withId(board, track.disc));
    if (!group) {
      group = svg('g.disc.ghost', { 'data-disc': track.disc, 'aria-hidden': 'true' }, discShape(track.side, BOARD.disc));
      ghosts.append(group);
    }
    group.classList.add('moves'); // its marks apply to its final place
    return group.animate(keyframes(way(track, lay, lies), from, length), timing);
  });
  const faint = { opacity: UNSEEN };
  animations.push(...unfollowed(layer, new Set(tracks.map(({ disc }) => disc)), discs).map((group) => (
    group.animate([{ opacity: 1 }, { ...faint, offset: 0.001 }, faint], timing))));
  const each = (work) => animations.forEach(work);
  const film = {
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
  film.pause();
  animations[0]?.addEventListener('finish', () => film.onEnd());
  return film;
}

/** The paths of a film as lines on the board, each struck disc's from a ring where it lay. */
export const waysOf = ({ tracks }) => tracks.map(({ points, side, began }) => {
  const struck = began !== 'flicked';
  const [[, cx, y]] = points;
  return [
    struck && svg('circle.way.struck', { cx, cy: -y, r: BOARD.disc }),
    svg(`polyline.way.side-${side}`, { class: struck && 'struck', pathLength: !struck && 1, points: points.map(([, x, up]) => `${x},${-up}`).join(' ') }),
  ];
});

/** The newest film when the page was opened. */
export const firstFilm = () => firstState().match?.film?.shot ?? 0;

/** Draw the paths of each film that is newer than the page over the live board. */
export function trails() {
  let known = firstFilm();
  return (film) => {
    const shot = film?.shot ?? 0;
    if (shot !== known) put(byId('board').querySelector('.trails'), shot > known && waysOf(film));
    known = shot;
  };
}
