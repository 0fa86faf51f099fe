// The history: matches by day, players' figures, head to head, near misses.

import { getJson, findSession } from '../shared/commands.js';
import { deletedMatches, deletion } from './deleting.js';
import { byId, el, firstState, link, put } from '../shared/dom.js';
import { saveMatches } from './export.js';
import { attempt, field, select } from '../shared/forms.js';
import { changedNames, naming } from './players.js';
import { onSent } from '../shared/scorer.js';
import { shotFigures } from './shot_figures.js';
import { densityMap, paged, part, practice, records, table, trends, twenties } from './statistics.js';
import { dayOf, known, millimetres, number, percent, say, starred } from '../shared/words.js';

const place = byId('history');
const chosen = { player: '', since: '', until: '' };
const wanted = (more = {}) => new URLSearchParams(Object.entries({ ...chosen, ...more }).filter(([, value]) => value));

/** A share with its number of rounds; a dash if they are too few. */
const share = ({ rounds, won }, enough) => (rounds < enough ? '–' : say('{share} of {n}', { share: percent(won / rounds), n: rounds }));
const mean = (value, rounds, enough) => (rounds < enough || value === null ? '–' : number(value));

function matchLine(match, newest) {
  const name = (side) => el('span', { class: match.winner === side.id && 'won' }, `${side.name} ${side.score}`);
  return el('li',
    el('span', match.sides.map((side, i) => [i > 0 && ' – ', name(side)]), match.sides.length === 1 && [' · ', match.rules_name], !match.over && [' (', match.id === newest ? say('going on') : say('not finished'), ')']),
    el('span.links', link(`/review/${match.id}`, say('Shots')), link(`/sheet/${match.id}`, say('Score sheet')), deletion(match)));
}

/** The matches by day. */
function matchesOf(newest, { matches }) {
  const days = [...new Set(matches.map((one) => one.day))];
  return days.map((day) => el('section', el('h2', dayOf(day, 'full')),
    el('ul.matches', matches.filter((one) => one.day === day).map((one) => matchLine(one, newest)))));
}

/** Notices of matches that can't be shown: set aside, or not summed up yet. */
const missing = ({ unreadable, progress }) => [
  progress && el('p.hint', say('The matches are being summed up again: {done} of {of}.', progress)),
  unreadable.map((one) => el('p.hint', say('Match {match} can\'t be read and is set aside.', one))),
];

const players = (figures) => {
  const { enough_rounds: enough } = figures;
  return el('div', table(say('Players'),
    [say('Player'), say('Matches'), say('Won'), say('In a row'), say('Rounds'), say('Mean round'), say('Best round'), say('Twenties a round'), say('give or take'), say('Won with hammer'), say('Won without'), say('Fouls')],
    figures.players.map((one) => [one.player, one.matches, one.won, one.wins_in_a_row.longest, one.rounds, mean(one.mean_round, one.rounds_counted, enough), known(one.best_round),
      mean(one.twenties_a_round, one.rounds_with_twenties, enough), mean(one.spread_of_twenties, one.rounds_with_twenties, enough),
      share(one.hammer, enough), share(one.no_hammer, enough), one.fouls])),
  el('p.hint', say('Means and shares rest on at least {enough} rounds; with fewer there is a dash.', { enough })));
};

const whole = (one) => one.matches_with_twenties === one.matches;
const headToHead = (figures) => el('div', table(say('Head to head'), [say('Players'), say('Matches'), say('Won'), say('Tied'), say('Twenties')],
  figures.head_to_head.map((one) => [one.players.join(' – '), one.matches, one.won.join(' – '), one.tied, one.twenties.map((n) => known(n, whole(one))).join(' – ')])),
!figures.head_to_head.every(whole) && el('p.hint', starred()));

const furtherFigures = (page) => `/api/v1/figures?${wanted({ page })}`;

const near = (figures) => table(say('Nearest to a line'), [say('Player'), say('Millimetres'), say('Counted'), say('Shot')],
  figures.near.slice(0, 20).map((one) => [one.player, millimetres(one.clearance), one.zone,
    link(`/review/${one.match}`, say('Round {round}, shot {number}', one))]));

function filters(names) {
  const who = select([['', say('Everybody')], ...names.map((name) => [name, name])], chosen.player, { onchange: () => { chosen.player = who.value; attempt(load); } });
  const day = (name) => el('input', { type: 'date', value: chosen[name], onchange: ({ target }) => { chosen[name] = target.value; attempt(load); } });
  return el('div.filters.no-print', field(say('Player'), who), field(say('From'), day('since')), field(say('Until'), day('until')));
}

/** Reload after a renaming: the chosen name may no longer exist. */
const reloadNames = () => { chosen.player = ''; return load(); };

let asked = 0; // counts requests, so that late answers to earlier ones are dropped

async function load() {
  const number = asked += 1;
  const [played, everybody, figures, shots] = await Promise.all([
    getJson(`/api/v1/matches?${wanted()}`), getJson('/api/v1/players'), getJson(`/api/v1/figures?${wanted()}`), shotFigures(wanted)]);
  if (number !== asked) return;
  const called = (name) => { chosen.player = name; return load(); };
  put(place, filters(everybody.players), naming(chosen.player, everybody, called), (played.matches.length || Object.values(chosen).some(Boolean)) && saveMatches(wanted()), missing(played),
    played.matches.length ? paged(played, (before) => `/api/v1/matches?${wanted({ before })}`, (some) => matchesOf(firstState().match?.id, some)) : el('p', say('No match was played yet.')),
    deletedMatches(played.deleted), changedNames(everybody, reloadNames),
    figures.practice.length > 0 && part(say('Practice'), practice(figures)),
    figures.players.length > 0 && [part(say('Records'), records(figures)), part(say('Trends'), trends(figures)), part(say('Rounds by their twenties'), twenties(figures)),
      part(say('Players'), paged(figures, furtherFigures, players)),
      part(say('Head to head'), paged(figures, furtherFigures, headToHead)),
      part(say('Where shots came to rest'), densityMap(figures)), part(say('Nearest to a line'), near(figures))], shots);
}
onSent(load);
findSession().catch(() => {}).then(() => attempt(load));
