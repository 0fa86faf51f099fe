// An evening in two minutes: players, format, boards.

import { give } from './commands.js';
import { el, refresh } from './dom.js';
import { formatEditor } from './club_format.js';
import { closeSheet, field, form, openSheet } from './forms.js';
import { say } from './words.js';

/** The lines of a list that was pasted; one line may hold all names with commas. */
export function lines(text) {
  const found = text.split(/\r?\n/).map((line) => line.trim()).filter(Boolean);
  return found.length === 1 ? found[0].split(/[,;\t]/).map((name) => name.trim()).filter(Boolean) : found;
}

export const list = (value = '') => el('textarea', { rows: 8, id: 'players' }, value);

const check = (label, checked, attributes = {}) => el('label', { class: 'check' }, el('input', { type: 'checkbox', checked, ...attributes }), el('span', {}, label));

/** The form that begins an evening. `done()` shows the desk anew, `renew(desk)` the boards that were added meanwhile. */
export function begin(desk, done) {
  const name = el('input', { maxlength: 60 });
  const format = formatEditor(desk.formats);
  const players = list(desk.people.join('\n'));
  const doubles = check(say('Doubles: both partners on one line, with & between them'), false);
  const boards = el('div', { class: 'entry' });
  const chosen = () => [...boards.querySelectorAll('input:checked')].map((box) => box.value);
  const renew = ({ tables }) => refresh(boards, tables, () => (tables.length
    ? tables.map((table) => check(table.by_hand ? say('{name}, scored by phone', table) : table.name, true, { value: table.id, name: 'board' }))
    : el('p', { class: 'hint' }, say('Add the club\'s boards first.'))));
  renew(desk);
  const element = form(say('Begin the evening'), async () => {
    await give('/api/begin', { title: name.value, format: format.value(), players: lines(players.value), doubles: doubles.firstChild.checked, boards: chosen() });
    closeSheet();
    await done();
  }, field(say('Title'), name), format.elements, field(say('Players, one on each line'), players), doubles, el('fieldset', {}, el('legend', {}, say('Boards')), boards));
  return { element, renew };
}

/** The form that adds a table to the club. */
export function addTable(done) {
  const name = el('input', { required: true, maxlength: 40 });
  const byHand = check(say('No hardware: phones keep its score'), true);
  openSheet(say('Add a board'), form(say('Add'), async () => {
    await give('/api/tables', { name: name.value, by_hand: byHand.firstChild.checked });
    closeSheet();
    await done();
  }, field(say('Name'), name), byHand));
}
