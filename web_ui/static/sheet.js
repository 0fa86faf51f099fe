// The score sheet of a match: what a club keeps on paper.

import { ask } from './commands.js';
import { byId, el } from './dom.js';
import { saveMatch } from './export.js';
import { errorPlace } from './forms.js';
import { language, say } from './words.js';

const number = location.pathname.split('/')[2];
const place = byId('sheet-of-match');
const error = errorPlace();

const cells = (round, side) => [
  el('td', {}, round.totals[side.id]), el('td', {}, round.twenties[side.id]), el('td', {}, round.awarded?.[side.id] ?? ''),
];

const row = (match, round) => el('tr', {},
  el('th', { scope: 'row' }, round.number),
  el('td', {}, match.sides.find((side) => side.id === round.hammer)?.name ?? ''),
  match.sides.map((side) => cells(round, side)));

const note = ({ round, shot, text }) => el('li', {}, shot === null ? say('Round {number}', { number: round }) : say('Round {round}, shot {number}', { round, number: shot }), ': ', text);

function sheet(match) {
  const day = new Date(match.started).toLocaleString(language, { dateStyle: 'full', timeStyle: 'short' });
  const heads = match.sides.map(() => [el('th', { scope: 'col' }, say('Total')), el('th', { scope: 'col' }, '20'), el('th', { scope: 'col' }, say('Points'))]);
  return [
    el('p', {}, [day, match.rules_name, match.format_text].filter(Boolean).join(' · ')),
    el('div', { class: 'wide', tabindex: 0 }, el('table', {},
      el('thead', {},
        el('tr', {}, el('td', { colspan: 2 }), match.sides.map((side) => el('th', { scope: 'colgroup', colspan: 3 }, side.name))),
        el('tr', {}, el('th', { scope: 'col' }, say('Round')), el('th', { scope: 'col' }, say('Hammer')), heads)),
      el('tbody', {}, match.rounds.map((round) => row(match, round))),
      el('tfoot', {}, el('tr', {}, el('th', { scope: 'row', colspan: 2 }, say('Match')), match.sides.map((side) => [
        el('td', {}), el('td', {}, side.twenties), el('td', {}, el('b', {}, side.score))]))))),
    match.notes.length ? el('ul', { class: 'notes' }, match.notes.map(note)) : '',
    el('p', {}, match.winner ? say('{name} wins the match.', match.sides.find((side) => side.id === match.winner)) : ''),
    el('table', {}, el('tbody', {}, match.sides.map((side) => el('tr', { class: 'write' }, el('th', { scope: 'row' }, say('Signed: {name}', side)), el('td', {}))))),
    el('p', { class: 'no-print actions' }, el('button', { type: 'button', onclick: () => print() }, say('Print')), saveMatch(number, error), error),
  ];
}

ask(`/api/v1/matches/${number}`).then((match) => {
  byId('title').textContent = match.sides.map((side) => side.name).join(' – ');
  place.replaceChildren(...sheet(match).flat());
}, (error) => place.replaceChildren(el('p', { class: 'error' }, error.message)));
