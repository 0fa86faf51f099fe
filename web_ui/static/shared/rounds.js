// The rounds kept as tests of the table, and the content of each, to check before sending it.

import { getJson, findSession, postJson, mayScore } from './commands.js';
import { byId, el } from './dom.js';
import { attempt, closeSheet, openSheet } from './forms.js';
import { openPin } from './scorer.js';
import { language, say, sayMany } from './words.js';

const place = byId('rounds');
const button = (label, action, kind = '') => el('button', { class: kind, onclick: action }, label);
const megabytes = (bytes) => say('{n} MB', { n: (bytes / 1e6).toLocaleString(language, { maximumFractionDigits: 1 }) });

const picture = (round, name, alt) => name && el('img', { src: `/api/rounds/${round.name}/${name}`, alt, loading: 'lazy' });

function openRemove(round) {
  openSheet(say('Throw this round away?'), el('p', say('The match and its score stay as they are.')),
    button(say('Throw it away'), () => attempt(async () => { show(await postJson('/api/rounds', { remove: round.name })); closeSheet(); }), 'main'));
}

function openPictures(round) {
  openSheet(say('The pictures'), round.pictures.map((name, k) => picture(round, name, say('Picture {number}', { number: k + 1 }))));
}

const card = (round) => el('section.kept',
  el('h2', say('Match {match}, round {round}', { match: round.match, round: round.round })),
  el('p', round.why === 'asked' ? say('Somebody asked to keep it.') : say('It was kept because people corrected it.'), ' ',
    sayMany('{n} shot was shown otherwise than people say.', '{n} shots were shown otherwise than people say.', round.disputed)),
  picture(round, round.pictures.at(-1), say('The last picture in it')),
  el('p', say('Included:')),
  el('ul',
    el('li', sayMany('{n} picture of the board at rest, black beyond the rail', '{n} pictures of the board at rest, black beyond the rail', round.pictures.length)),
    el('li', sayMany('the paths of the discs in {n} film, without its pictures', 'the paths of the discs in {n} films, without their pictures', round.films)),
    el('li', sayMany('{n} shot: what the table showed, and what people say', '{n} shots: what the table showed, and what people say', round.shots)),
    el('li', say('where the camera hangs, the lines as measured, the hole sensor, the rules, the version of the program'))),
  el('p', say('Not included: names, sound, addresses.')),
  el('p.actions',
    el('a', { class: 'button', href: `/api/rounds/${round.name}.zip`, download: true }, say('Save as one file'), ` (${megabytes(round.bytes)})`),
    button(say('Look at all pictures'), () => openPictures(round)),
    button(say('Throw it away'), () => openRemove(round))));

function show({ rounds }) {
  place.replaceChildren(
    el('p', say('Each of them shows how well a table reads. The table sends them nowhere: save one as a file, check what is in it, and send it to whoever should see it.')),
    el('p.actions', button(say('Keep the newest round'), () => attempt(async () => show(await postJson('/api/rounds', { round: null }))))),
    ...(rounds.length ? rounds.map(card) : [el('p', say('No round is kept.'))]));
}

async function load() {
  if (!mayScore()) {
    place.replaceChildren(el('p', say("Looking at kept rounds needs the table's PIN.")), button(say('Enter'), () => openPin(() => attempt(load))));
    return;
  }
  show(await getJson('/api/rounds'));
}
findSession().catch(() => {}).then(() => attempt(load));
