// The codes of all boards without hardware, on a sheet to print: each with its name, its address and its QR code.

import { getJson, enter, findSession, mayScore, pinNeeded } from '../shared/commands.js';
import { byId, el } from '../shared/dom.js';
import { say } from '../shared/words.js';

const place = byId('codes');
const { join } = document.querySelector('main').dataset;

const sheetOf = ({ id, name, code }) => el('li', el('b', name), el('img', { src: `/qr.svg?board=${id}&code=${code}`, alt: '' }),
  el('p', say('Scan to keep the score here')), el('code', `${join}board/${id}/${code}`));

try {
  await findSession();
  if (!mayScore() && !pinNeeded()) await enter(null, '');
  const { tables } = await getJson('/api/desk');
  const boards = tables.filter(({ code }) => code);
  place.replaceChildren(boards.length ? el('ul.codes', boards.map(sheetOf)) : el('p', say('No board is scored by phone.')));
} catch (error) {
  place.replaceChildren(el('p', { class: 'error', role: 'alert' }, error.message), el('a', { href: '/organiser' }, say('Organiser')));
}
byId('print').addEventListener('click', () => print());
