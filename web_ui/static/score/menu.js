// The menu: for everybody language, voice, the code to follow, other pages; for the scorer what concerns no single shot or round.

import { el, page } from '../shared/dom.js';
import { byVideo, setByVideo } from '../shared/awake.js';
import { level, LEVELS, setLevel } from './caller.js';
import { getFile, getJson, mayScore } from '../shared/commands.js';
import { keepEntryCode } from '../shared/entry_code.js';
import { attempt, choice, download, onDemand, openSheet, tool } from '../shared/forms.js';
import { changeLine, stopScoring } from '../shared/scorer.js';
import { language, say } from '../shared/words.js';

const openShare = onDemand(() => import('../shared/share.js'), 'openShare');

const YEAR = 365 * 24 * 3600; // seconds

function languageChoice() {
  const { element } = choice('language', say('Language'), JSON.parse(page.querySelector('main').dataset.languages), language);
  element.addEventListener('change', ({ target }) => {
    document.cookie = `language=${target.value}; path=/; max-age=${YEAR}; samesite=strict`;
    location.assign(location.pathname); // without a language in the address, which would override the cookie
  });
  return element;
}

function voiceChoice() {
  const { element } = choice('caller', say('Voice'), Object.entries(LEVELS), level);
  element.addEventListener('change', ({ target }) => setLevel(target.value));
  return element;
}

function screenChoice() {
  const { element } = choice('screen', say('Screen, while you keep score'),
    [['yes', say('Stays on')], ['no', say('Chosen by the phone')]], byVideo() ? 'yes' : 'no');
  element.addEventListener('change', ({ target }) => setByVideo(target.value === 'yes'));
  element.append(el('p.hint', say("A silent video keeps it on: without https, this browser lets no page ask for that.")));
  return element;
}

async function openChanges({ id }) {
  const place = el('div', { 'aria-live': 'polite' }, say('One moment …'));
  openSheet(say('Who changed what'), place);
  await attempt(async () => {
    const { changes } = await getJson(`/api/v1/matches/${id}`);
    place.replaceChildren(changes.length ? el('ul.changes', changes.map(changeLine).reverse())
      : el('p', say('Nothing was changed by hand.')));
  });
}

function openKeepRound({ id, round: { number } }) {
  openSheet(say('Keep this round'),
    el('p', say('One file, for whoever should see how the table read a round: its pictures at rest, black beyond the rail, the paths of the discs, and what people say of each shot. No names, no sound. The table sends it nowhere.')),
    [number, number - 1].filter(Boolean).map((n) => tool(say('Round {n}', { n }), async () => download(await getFile(`/api/round-${n}.zip`), `match-${id}-round-${n}.zip`))));
}

function openEntryCode() {
  const image = el('img', { alt: say('Code that lets one phone keep score') });
  openSheet(say('Let another phone keep score'), el('figure.join', image, el('figcaption', say('Scan it with the other phone. It works once.'))));
  keepEntryCode(image);
}

export function openMenu({ match }) {
  const link = (address, name) => el('li', el('a', { href: address }, name));
  openSheet(say('Menu'),
    match && tool(say('Share the result'), () => openShare(match.id)),
    mayScore() && [
      match && tool(say('Who changed what'), () => openChanges(match)),
      match && tool(say('Keep this round'), () => openKeepRound(match), say('As a test of the table: what it saw, and what people say.')),
      tool(say('Let another phone keep score'), openEntryCode),
      tool(say('Leave scoring'), stopScoring)],
    el('ul.pages',
      match && link(`/review/${match.id}`, say('Look at the shots')), link('/history', say('Matches and figures')), link('/accuracy', say('How good is it here?')),
      link('/tv', say("The table's screen")), link('/setup', say('Set up the table'))),
    languageChoice(),
    voiceChoice(),
    !navigator.wakeLock && screenChoice(),
    page.dataset.https && el('p', el('a', { href: page.dataset.https }, say('Open this page with https')), ' ', el('small.hint', say('Then the screen stays on, and the page can be installed as an app.'))),
    el('figure.join',
      el('img', { src: '/qr.svg', alt: say('Code with the address of this table') }),
      el('figcaption', say('Scan to follow the score'))));
}
