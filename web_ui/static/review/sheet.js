// Score sheets to print: one match, or those of a player and a span of days, each on its own page.

import { getJson } from '../shared/commands.js';
import { byId, el, headings, link, put, wide, withId } from '../shared/dom.js';
import { saveMatch } from './export.js';
import { attempt, button, onDemand } from '../shared/forms.js';
import { joined, known, locale, say, wonBy } from '../shared/words.js';

const openShare = onDemand(() => import('../shared/share.js'), 'openShare');

const number = location.pathname.split('/')[2];
const place = byId('sheet-of-match');

const cells = (round, side) => [
  el('td', known(round.totals[side.id])), el('td', known(round.twenties[side.id])), el('td', round.awarded?.[side.id] ?? ''),
];

const row = (match, round) => el('tr',
  el('th', { scope: 'row' }, round.number),
  el('td', match.sides.length > 1 && withId(match.sides, round.hammer)?.name),
  match.sides.map((side) => cells(round, side)));

const title = (match) => match.sides.map((side) => side.name).join(' – ');
const note = ({ round, shot, text }) => el('li', shot === null ? say('Round {number}', { number: round }) : say('Round {round}, shot {number}', { round, number: shot }), ': ', text);

function sheet(match) {
  const day = new Date(match.started).toLocaleString(locale, { dateStyle: 'full', timeStyle: 'short' });
  return [
    el('p', joined([day, match.rules_name, match.format_text])),
    wide(el('table',
      el('thead',
        el('tr', el('td', { colspan: 2 }), match.sides.map((side) => el('th', { scope: 'colgroup', colspan: 3 }, side.name))),
        headings([say('Round'), say('Hammer'), ...match.sides.flatMap(() => [say('Total'), '20', say('Points')])])),
      el('tbody', match.rounds.map((round) => row(match, round))),
      el('tfoot', el('tr', el('th', { scope: 'row', colspan: 2 }, say('Match')), match.sides.map((side) => [
        el('td'), el('td', known(side.twenties)), el('td', el('b', side.score))]))))),
    match.notes?.length > 0 && el('ul.notes', match.notes.map(note)),
    el('p', wonBy(match)),
    el('table', el('tbody', match.sides.map((side) => el('tr.write', el('th', { scope: 'row' }, say('Signed: {name}', side)), el('td'))))),
  ];
}

async function showOne() {
  const match = await getJson(`/api/v1/matches/${number}`);
  byId('title').textContent = title(match);
  put(place, sheet(match), el('p.no-print.actions',
    button(say('Print'), () => print()), button(say('Share'), () => openShare(match.id)), saveMatch(number)));
}

/** The sheets of the matches in the page's address, some fifty at a time, which any browser can print. */
async function showMany() {
  const query = new URLSearchParams(location.search);
  query.delete('language');
  const { matches: listed, next } = await getJson(`/api/v1/matches?${query}`);
  const matches = await Promise.all(listed.map((match) => (match.noted ? getJson(`/api/v1/matches/${match.id}`) : match)));
  query.set('before', next);
  byId('title').textContent = say('Score sheets');
  put(place,
    el('p.no-print.actions', button(say('Print'), () => print(), 'main'),
      next !== null && link(`/sheet?${query}`, say('The sheets before these'), 'button')),
    !matches.length && el('p', say('No match was played yet.')),
    matches.map((match) => el('section.one-sheet', el('h2', title(match)), sheet(match))));
}
attempt(number ? showOne : showMany);
