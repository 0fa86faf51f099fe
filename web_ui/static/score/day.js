// Between matches, on the table's screen: in turn the day's results, its table, and the records.

import { getJson } from '../shared/commands.js';
import { byId, el, refresh } from '../shared/dom.js';
import { RECORDS } from '../review/records.js';
import { known, say, starred } from '../shared/words.js';

const MOST_RESULTS = 6;
const MOST_PLAYERS = 8;
const TURN = 12000; // milliseconds for each panel: time to read eight lines

let panels = [];
let turn = 0;
let timer = 0;
let asked = 0; // counts openings and closings, to discard late answers

const result = ({ sides, winner }) => el('li', sides.map((side) => el('p', { class: winner === side.id ? 'best' : '' },
  el('span', side.name), el('b', side.score))));

/** Players by matches won, then rounds won, then twenties; level players share a place. */
export function standings(players) {
  const by = (one) => [one.won, one.rounds_won, one.twenties ?? 0];
  const better = (a, b) => by(b).map((value, i) => value - by(a)[i]).find((difference) => difference !== 0) ?? 0;
  const sorted = [...players].sort(better);
  return sorted.map((one) => ({ ...one, place: 1 + sorted.findIndex((other) => better(other, one) === 0) }));
}

const whole = (one) => one.rounds_with_twenties === one.rounds;

function table(players) {
  const heads = [say('Player'), say('Won'), '20'];
  return [el('table', el('thead', el('tr', el('th', el('span.for-ears', say('Place'))), heads.map((head) => el('th', { scope: 'col' }, head)))),
    el('tbody', standings(players).slice(0, MOST_PLAYERS).map((one) => el('tr', el('td', one.place), el('th', { scope: 'row' }, one.player),
      el('td', `${one.won} / ${one.matches}`), el('td', known(one.twenties, whole(one))))))),
  players.some((one) => !whole(one)) && el('p.hint', starred())];
}

const record = (one) => el('li', el('p', el('span', RECORDS[one.kind]()), el('b', one.value)), el('p.best', el('span', one.players.join(', '))));

function show() {
  const panel = panels[turn % panels.length];
  refresh(byId('day'), panel && [panel.title, panel.key], () => panel && [el('h2', panel.title), panel.build()]);
}

async function found() {
  const { matches } = await getJson('/api/v1/matches');
  const over = matches.filter((one) => one.over && one.sides.length > 1); // without practice
  if (!over.length) return [];
  const [{ day }] = over;
  const results = over.filter((one) => one.day === day).slice(0, MOST_RESULTS);
  const [{ players }, { records }] = await Promise.all([getJson(`/api/v1/figures?since=${day}&until=${day}`), getJson('/api/v1/figures')]);
  return [
    { title: say('Played today'), key: results, build: () => el('ol', results.map(result)) },
    players.length > 2 && { title: say('Table of the day'), key: players, build: () => table(players) },
    records.length > 0 && { title: say('Records of this table'), key: records, build: () => el('ol', records.map(record)) },
  ].filter(Boolean);
}

/** Show the day between matches. */
export async function showDay(match) {
  clearInterval(timer);
  const number = asked += 1;
  if (match && !match.over) return;
  panels = await found().catch(() => panels);
  if (number !== asked) return; // a match has begun
  turn = 0;
  show();
  timer = setInterval(async () => {
    panels = await found().catch(() => panels); // matches may have been corrected, or players renamed
    turn += 1;
    show();
  }, TURN);
}
