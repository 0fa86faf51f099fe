// Success rates of kinds of shots, by distance, and the speed of flicks: a part of the history page.

import { getJson } from '../shared/commands.js';
import { el } from '../shared/dom.js';
import { paged, part, table } from './statistics.js';
import { metresASecond, number, percent, say } from '../shared/words.js';

const DISTANCES = [['near', say('Near')], ['middle', say('Middle')], ['far', say('Far')], ['unknown', say('Not filmed')]];

const ENOUGH = 10; // shots for a meaningful share or mean

const rate = ({ shots, hits }) => say('{part} of {n}', { n: number(shots),
  part: shots < ENOUGH ? number(hits) : percent(hits / shots) });
const sum = (some) => some.reduce((all, { shots, hits }) => ({ shots: all.shots + shots, hits: all.hits + hits }), { shots: 0, hits: 0 });

function kindsOf({ kinds }) {
  const of = (kind) => kinds.filter((one) => one.kind === kind);
  const cells = (kind) => DISTANCES.map(([distance]) => {
    const some = of(kind).filter((one) => one.distance === distance);
    return some.length ? rate(some[0]) : '';
  });
  const rows = [...new Map(kinds.map(({ kind, text }) => [kind, text]))].map(([kind, text]) => [text, rate(sum(of(kind))), ...cells(kind)]);
  return table(say('Kinds of shots'), [say('Kind'), say('Came off'), ...DISTANCES.map(([, words]) => words)], rows);
}

const flicksOf = ({ flicks }) => table(say('Speed of the flick'), [say('Player'), say('Shots'), say('Mean'), say('Fastest')],
  flicks.map((one) => [one.player, number(one.shots), one.shots < ENOUGH ? '–' : metresASecond(one.mean), metresASecond(one.fastest)]));

/** The section for the chosen span and player; empty if no shot was seen. */
export async function shotFigures(wanted) {
  const shots = await getJson(`/api/v1/shots?${wanted()}`);
  return [
    shots.kinds.length > 0 && part(say('Kinds of shots'), kindsOf(shots),
      el('p.hint', say('Each figure says how many of the shots that could be one were; from ten shots on, as a percentage. Near is less than 25 cm from flick to target, far is 40 cm or more; the distance is known if the shot was filmed.'))),
    shots.flicks.length > 0 && part(say('Speed of the flick'), paged(shots, (page) => `/api/v1/shots?${wanted({ page })}`, flicksOf)),
  ];
}
