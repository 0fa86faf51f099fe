// What was played: matches by day, players' figures, who beat whom, where discs came to rest, what was missed by how much.

import { showBoard } from './board.js';
import { ask } from './commands.js';
import { byId, el, embedded, svg } from './dom.js';
import { saveMatches } from './export.js';
import { attempt, errorPlace, field, select } from './forms.js';
import { language, millimetres, say, sayMany } from './words.js';

const place = byId('history');
const chosen = { player: '', since: '', until: '' };
const wanted = (more = {}) => new URLSearchParams(Object.entries({ ...chosen, ...more }).filter(([, value]) => value));

const percent = ({ rounds, won }) => (rounds ? (won / rounds).toLocaleString(language, { style: 'percent' }) : '–');
const dayName = (day) => new Date(`${day}T12:00`).toLocaleDateString(language, { dateStyle: 'full' });

function table(caption, heads, rows) {
  return el('div', { class: 'wide', tabindex: 0 }, el('table', {}, el('caption', { class: 'for-ears' }, caption),
    el('thead', {}, el('tr', {}, heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', {}, rows.map(([first, ...others]) => el('tr', {}, el('th', { scope: 'row' }, first), others.map((one) => el('td', {}, one)))))));
}

function matchLine(match, newest) {
  const name = (side) => el('span', { class: match.winner === side.id ? 'won' : '' }, `${side.name} ${side.score}`);
  return el('li', {},
    el('span', {}, match.sides.map((side, i) => [i > 0 && ' – ', name(side)]), !match.over && [' (', match.id === newest ? say('going on') : say('not finished'), ')']),
    el('span', { class: 'links' }, el('a', { href: `/review/${match.id}` }, say('Shots')), el('a', { href: `/sheet/${match.id}` }, say('Score sheet'))));
}

/** The matches by day; older ones are fetched when somebody wants them. */
function matchesOf(newest, { matches, next }) {
  const days = [...new Set(matches.map((one) => one.day))];
  const node = el('div', {}, days.map((day) => el('section', {}, el('h2', {}, dayName(day)),
    el('ul', { class: 'matches' }, matches.filter((one) => one.day === day).map((one) => matchLine(one, newest))))));
  if (next !== null) node.append(more(async () => matchesOf(newest, await ask(`/api/v1/matches?${wanted({ before: next })}`))));
  return node;
}

/** A button that is replaced by the next part of the list. */
function more(fetchNext) {
  const error = errorPlace();
  const node = el('p', { class: 'no-print' }, el('button', { type: 'button', onclick: () => attempt(error, async () => node.replaceWith(await fetchNext())) }, say('Show more')), error);
  return node;
}

/** What can't be shown: matches that are set aside, and those that are not summed up yet. */
const missing = ({ unreadable, progress }) => [
  progress && el('p', { class: 'hint' }, say('The matches are being summed up anew: {done} of {of}.', progress)),
  ...unreadable.map((one) => el('p', { class: 'hint' }, say('Match {match} can\'t be read and is set aside.', one))),
].filter(Boolean);

const players = (figures) => table(say('Players'),
  [say('Player'), say('Matches'), say('Won'), say('Rounds'), say('Mean round'), say('Twenties a round'), say('Won with hammer'), say('Won without'), say('Fouls')],
  figures.players.map((one) => [one.player, one.matches, one.won, one.rounds, one.mean_round.toLocaleString(language), one.twenties_a_round.toLocaleString(language),
    percent(one.hammer), percent(one.no_hammer), one.fouls]));

const headToHead = (figures) => table(say('Head to head'), [say('Players'), say('Matches'), say('Won'), say('Tied'), say('Twenties')],
  figures.head_to_head.map((one) => [one.players.join(' – '), one.matches, one.won.join(' – '), one.tied, one.twenties.join(' – ')]));

/** Where shots came to rest, from every seat or from one. */
function map(figures) {
  const node = el('div', { class: 'map' });
  const count = el('p', { class: 'hint', 'aria-live': 'polite' });
  const seats = [...new Set(figures.places.map((one) => one.seat))].sort();
  const seat = select([['', say('Every seat')], ...seats.map((one) => [String(one), say('Seat {seat}', { seat: one })])], '');
  showBoard(node, null);
  node.querySelector('svg').setAttribute('aria-label', say('Where shots came to rest'));
  const draw = () => {
    const shown = figures.places.filter((one) => !seat.value || String(one.seat) === seat.value);
    node.querySelector('.discs').replaceChildren(...shown.map((one) => svg('circle', { class: `place seat-${one.seat}`, cx: one.x, cy: -one.y, r: 7 })));
    count.textContent = sayMany('{n} shot', '{n} shots', shown.length);
  };
  seat.addEventListener('change', draw);
  draw();
  return [field(say('Shot from'), seat), node, count];
}

/** A button for the next fifty rows of a table, where there are more. */
const furtherFigures = ({ next }, show) => (next === null ? [] : [more(async () => {
  const figures = await ask(`/api/v1/figures?${wanted({ page: next })}`);
  return el('div', {}, show(figures), ...furtherFigures(figures, show));
})]);

const near = (figures) => table(say('Nearest to a line'), [say('Player'), say('Millimetres'), say('Counted'), say('Shot')],
  figures.near.slice(0, 20).map((one) => [one.player, millimetres(one.clearance), one.zone,
    el('a', { href: `/review/${one.match}` }, say('Round {round}, shot {number}', one))]));

function filters(names) {
  const who = select([['', say('Everybody')], ...names.map((name) => [name, name])], chosen.player);
  const day = (name) => el('input', { type: 'date', value: chosen[name], onchange: ({ target }) => { chosen[name] = target.value; load(); } });
  who.addEventListener('change', () => { chosen.player = who.value; load(); });
  return el('div', { class: 'filters no-print' }, field(say('Player'), who), field(say('From'), day('since')), field(say('Until'), day('until')));
}

async function load() {
  const [played, everybody, figures] = await Promise.all([
    ask(`/api/v1/matches?${wanted()}`), ask('/api/v1/players'), ask(`/api/v1/figures?${wanted()}`)]);
  const part = (title, ...content) => el('section', {}, el('h2', {}, title), content);
  place.replaceChildren(filters(everybody.players), ...(played.matches.length || Object.values(chosen).some(Boolean) ? [saveMatches(wanted())] : []), error, ...missing(played),
    played.matches.length ? matchesOf(embedded('state').match?.id, played) : el('p', {}, say('No match was played yet.')),
    ...(figures.players.length ? [part(say('Players'), players(figures), ...furtherFigures(figures, players)),
      part(say('Head to head'), headToHead(figures), ...furtherFigures(figures, headToHead)),
      part(say('Where shots came to rest'), ...map(figures)), part(say('Nearest to a line'), near(figures))] : []));
}

const error = errorPlace();
place.append(error);
attempt(error, load);
