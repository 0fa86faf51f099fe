// What was played: matches by day, players' figures, who beat whom, where discs came to rest, what was missed by how much.

import { showBoard } from './board.js';
import { ask } from './commands.js';
import { byId, el, svg } from './dom.js';
import { saveMatches } from './export.js';
import { attempt, errorPlace, field, select } from './forms.js';
import { language, millimetres, say, sayMany } from './words.js';

const place = byId('history');
const chosen = { player: '', since: '', until: '' };

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

function matchesOf({ matches }) {
  const within = matches.filter((one) => (!chosen.since || one.day >= chosen.since) && (!chosen.until || one.day <= chosen.until)
    && (!chosen.player || one.sides.some((side) => side.players.includes(chosen.player))));
  const days = [...new Set(within.map((one) => one.day))];
  return days.map((day) => el('section', {}, el('h2', {}, dayName(day)),
    el('ul', { class: 'matches' }, within.filter((one) => one.day === day).map((one) => matchLine(one, matches[0].id)))));
}

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
  const wanted = new URLSearchParams(Object.entries(chosen).filter(([, value]) => value));
  const [played, figures] = await Promise.all([ask('/api/v1/matches'), ask(`/api/v1/figures?${wanted}`)]);
  const names = [...new Set(played.matches.flatMap((one) => one.sides.flatMap((side) => side.players)))].sort();
  const part = (title, ...content) => el('section', {}, el('h2', {}, title), content);
  place.replaceChildren(filters(names), ...(played.matches.length ? [saveMatches(chosen, error)] : []), error,
    ...(played.matches.length ? matchesOf(played) : [el('p', {}, say('No match was played yet.'))]),
    ...(figures.players.length ? [part(say('Players'), players(figures)), part(say('Head to head'), headToHead(figures)),
      part(say('Where shots came to rest'), ...map(figures)), part(say('Nearest to a line'), near(figures))] : []));
}

const error = errorPlace();
place.append(error);
attempt(error, load);
