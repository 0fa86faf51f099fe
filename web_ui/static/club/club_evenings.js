// The club's evenings: the list, or one with its standings, rounds and files.

import { getJson } from '../shared/commands.js';
import { matchList, resultOf, roundName, roundResult, standings } from './club.js';
import { bracket, podium } from './club_ending.js';
import { byId, el, link, put, settings } from '../shared/dom.js';
import { dayOf, joined, say, sayMany } from '../shared/words.js';

const FILES = [
  ['standings.csv', say('Standings for a spreadsheet')],
  ['matches.csv', say('Matches for a spreadsheet')],
  ['evening.json', say('Everything, for programs')],
  ['cmn.json', say('Crokinole Match Notation')],
];

const place = byId('evenings');
const titleOf = ({ at, title }) => joined([dayOf(at * 1000, 'full'), title]);

const roundsOf = (match) => match.rounds?.length > 0 && el('small', match.rounds.map((round) => roundResult(round, match.names)).join(' · '));

const roundOf = (round) => el('section', el('h3', roundName(round)),
  matchList(round.matches, resultOf, roundsOf),
  round.byes.length > 0 && el('p', say('Bye'), ': ', round.byes.join(', ')));

/** A note that files of rounds leave out matches with only a result. */
function withoutRounds({ rounds }) {
  const left = rounds.flatMap(({ matches }) => matches).filter((match) => match.points && !match.rounds).length;
  return left > 0 && el('p.hint', sayMany('{n} match was entered as a result only: Crokinole Match Notation leaves it out.',
    '{n} matches were entered as results only: Crokinole Match Notation leaves them out.', left));
}

const files = (evening) => [el('h2', say('Take it home')), el('ul.pages', FILES.map(([file, words]) => el('li', link(`/evenings/${evening.id}/${file}`, words)))), withoutRounds(evening)];

const whole = (evening) => [el('p', titleOf(evening)),
  podium(evening.podium),
  bracket(evening.bracket),
  standings(evening.standings),
  files(evening),
  evening.rounds.length ? [el('h2', say('All rounds')), evening.rounds.map(roundOf)] : el('p', say('No round is paired yet.'))];

const all = ({ evenings }) => (evenings.length === 0 ? el('p', say('The club has had no evening yet.'))
  : el('ul.pages', evenings.map((evening) => el('li', link(`/evenings/${evening.id}`, titleOf(evening))))));

const { evening } = settings;
try {
  const shown = evening ? whole(await getJson(`/api/evenings/${encodeURIComponent(evening)}`)) : all(await getJson('/api/evenings'));
  put(place, shown);
} catch (error) {
  put(place, el('p.error', { role: 'alert' }, error.message));
}
