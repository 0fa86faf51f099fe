// When the film of the newest shot is played on a page that follows the match: once, at half speed, when it is new.
//
// It is never in the way: a question, the next shot, an undo or the end of the match end it at once, and people who want
// less motion never see it. What the board shows is the state at any time; the film only moves what is drawn there.

import { filmOver } from '../shared/film.js';

const SPEED = 0.5;

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** @typedef {{ notable: string | null, tracks: object[] }} Shown  the film of a state's match */

/** Play films over the board in `node`. `past` is the newest shot that was there when the page was opened; `wanted(film)`
 *  says of each whether it is shown, `after()` in how many milliseconds it may begin, and `onChange(film or null)` is told
 *  which one plays now. The function that is returned takes each new state after the board shows it.
 *
 *  @param {HTMLElement} node
 *  @param {{ past?: number, wanted?: (film: Shown) => boolean, after?: () => number, onChange?: (film: Shown | null) => void }} how */
export function replays(node, { past = 0, wanted = () => true, after = () => 0, onChange = () => {} } = {}) {
  let known = past;
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
    playing = { shot, film: filmOver(node, match.discs, newest) };
    playing.film.onEnd = end;
    onChange(newest);
    playing.film.play(SPEED, after());
  };
}
