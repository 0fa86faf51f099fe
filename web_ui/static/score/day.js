// Between matches, on the table's screen: in turn the day's results, its table, and the records.

import { getJson } from '../shared/commands.js';
import { el, refresh, table } from '../shared/dom.js';
import { known, say, starred } from '../shared/words.js';

const MOST_RESULTS = 6;
const MOST_PLAYERS = 8;
const TURN = 12000; // milliseconds for each panel: time to read eight lines

let panels = [];
let timer = 0;
let asked = 0; // counts openings and closings, to discard late answers

const result = ({ sides, winner }) => el('li', sides.map((side) => el('p', { class: winner === side.id && 'best' },
  el('span', side.name), el('b', side.score))));

const whole = (one) => one.rounds_with_twenties === one.rounds;

function ranked(players) {
  return [table([el('span.for-ears', say('Place')), say('Player'), say('Won'), '20'],
    players.sort((one, other) => one.place - other.place).slice(0, MOST_PLAYERS).map((one) => el('tr', el('td', one.place), el('th', { scope: 'row' }, one.player),
      el('td', `${one.won} / ${one.matches}`), el('td', known(one.twenties, whole(one)))))),
  players.some((one) => !whole(one)) && el('p.hint', starred())];
}

const record = (one) => el('li', el('p', el('span', one.text), el('b', one.value)), el('p.best', el('span', one.players.join(', '))));

async function found() {
  const { matches } = await getJson('/api/v1/matches');
  const over = matches.filter((one) => one.over && one.sides.length > 1); // without practice
  if (!over.length) return [];
  const [{ day }] = over;
  const results = over.filter((one) => one.day === day).slice(0, MOST_RESULTS);
  const [{ players }, { records }] = await Promise.all([getJson(`/api/v1/figures?since=${day}&until=${day}`), getJson('/api/v1/figures')]);
  return [
    { title: say('Played today'), build: () => el('ol', results.map(result)) },
    players.length > 2 && { title: say('Table of the day'), build: () => ranked(players) },
    records.length > 0 && { title: say('Records of this table'), build: () => el('ol', records.map(record)) },
  ].filter(Boolean);
}

/** Show the day between matches. */
export function showDay(match) {
  clearInterval(timer);
  const number = asked += 1;
  if (match && !match.over) return;
  let turn = 0;
  const show = async () => {
    panels = await found().catch(() => panels); // matches may have been corrected, or players renamed
    if (number !== asked) return; // a match has begun
    const panel = panels[turn % panels.length];
    turn += 1;
    refresh('day', () => panel && [el('h2', panel.title), panel.build()]);
  };
  timer = setInterval(show, TURN);
  show();
}
