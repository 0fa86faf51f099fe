// The codes of all boards without hardware, on a sheet to print: each with its name, its address and its QR code.

import { enterHere, getJson } from '../shared/commands.js';
import { byId, el, link, put, settings } from '../shared/dom.js';
import { say } from '../shared/words.js';

const place = byId('codes');

const sheetOf = ({ id, name, code }) => el('li', el('b', name), el('img', { src: `/qr.svg?board=${id}&code=${code}`, alt: '' }),
  el('p', say('Scan to keep the score here')), el('code', `${settings.join}board/${id}/${code}`));

try {
  await enterHere();
  const { tables } = await getJson('/api/desk');
  const boards = tables.filter(({ code }) => code);
  put(place, boards.length ? el('ul.codes', boards.map(sheetOf)) : el('p', say('No board is scored by phone.')));
} catch (error) {
  put(place, el('p.error', { role: 'alert' }, error.message), link('/organiser', say('Organiser')));
}
byId('print').addEventListener('click', () => print());
