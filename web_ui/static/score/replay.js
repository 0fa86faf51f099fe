// Plays the film of each new shot on a page that follows the match: once, at half speed.
//
// A question, the next shot, an undo or the end of the match stop it at once, and people who prefer reduced motion never
// see it. The board always shows the state; the film only moves the drawn discs.

import { byId } from '../shared/dom.js';
import { filmOver, firstFilm } from '../shared/film.js';

const SPEED = 0.5;

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @typedef {{ notable: string | null, tracks: object[] }} Shown  the film of a state's match */

/** Play films over the board. `wanted(film)`: whether to play
 *  one; `after()`: milliseconds until it may begin; `onChange(film or null)` is called when one starts or stops. Call the
 *  returned function with each new state once the board shows it.
 *
 *  @param {{ wanted?: (film: Shown) => boolean, after?: () => number, onChange?: (film: Shown | null) => void }} how */
export function replays({ wanted = () => true, after = () => 0, onChange = () => {} } = {}) {
  let known = firstFilm();
  let playing = null; // { shot, film }

  function end() {
    playing?.film.remove();
    if (playing) onChange(null);
    playing = null;
  }

  still.addEventListener('change', end);
  return ({ match, status }) => {
    const newest = match?.film ?? null;
    const shot = newest?.shot ?? 0;
    const isNew = shot > known;
    known = Math.max(known, shot);
    const inTheWay = !match || status.word === 'moving' || match.questions.some((one) => one.pressing);
    if (playing && (inTheWay || playing.shot !== shot)) end();
    if (!isNew || inTheWay || still.matches || document.hidden || !newest.tracks.length || !wanted(newest)) return;
    end();
    playing = { shot, film: filmOver(byId('board'), match.discs, newest) };
    playing.film.onEnd = end;
    onChange(newest);
    playing.film.play(SPEED, after());
  };
}
