// The menu: for everybody language, voice, the code to follow, other pages; for the scorer what concerns no single shot or round.

import { el, link, page, settings } from '../shared/dom.js';
import { byVideo, setByVideo } from '../shared/awake.js';
import { level, LEVELS, setLevel } from './caller.js';
import { getFile, getJson, mayScore } from '../shared/commands.js';
import { keepEntryCode } from '../shared/entry_code.js';
import { choice, download, onDemand, openFetched, openSheet, tool } from '../shared/forms.js';
import { changeLine, stopScoring } from '../shared/scorer.js';
import { language, say } from '../shared/words.js';

const openShare = onDemand(() => import('../shared/share.js'), 'openShare');

const YEAR = 365 * 24 * 3600; // seconds

function languageChoice() {
  return choice('language', say('Language'), JSON.parse(settings.languages), language, ({ target }) => {
    document.cookie = `language=${target.value}; path=/; max-age=${YEAR}; samesite=strict`;
    location.assign(location.pathname); // without a language in the address, which would override the cookie
  });
}

function screenChoice() {
  const element = choice('screen', say('Screen, while you keep score'),
    [['yes', say('Stays on')], ['no', say('Chosen by the phone')]], byVideo() ? 'yes' : 'no', ({ target }) => setByVideo(target.value === 'yes'));
  element.append(el('p.hint', say("A silent video keeps it on: without https, this browser lets no page ask for that.")));
  return element;
}

const openChanges = ({ id }) => openFetched(say('Who changed what'), async () => {
  const { changes } = await getJson(`/api/v1/matches/${id}`);
  return changes.length ? el('ul.changes', changes.map(changeLine).reverse()) : el('p', say('Nothing was changed by hand.'));
});

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
  const item = (...where) => el('li', link(...where));
  openSheet(say('Menu'),
    match && tool(say('Share the result'), () => openShare(match.id)),
    mayScore() && [
      match && tool(say('Who changed what'), () => openChanges(match)),
      match && tool(say('Keep this round'), () => openKeepRound(match), say('As a test of the table: what it saw, and what people say.')),
      tool(say('Let another phone keep score'), openEntryCode),
      tool(say('Leave scoring'), stopScoring)],
    el('ul.pages',
      match && item(`/review/${match.id}`, say('Look at the shots')), item('/history', say('Matches and figures')), item('/accuracy', say('How good is it here?')),
      item('/tv', say("The table's screen")), item('/setup', say('Set up the table'))),
    languageChoice(),
    choice('caller', say('Voice'), Object.entries(LEVELS), level, ({ target }) => setLevel(target.value)),
    !navigator.wakeLock && screenChoice(),
    page.dataset.https && el('p', link(page.dataset.https, say('Open this page with https')), ' ', el('small.hint', say('Then the screen stays on, and the page can be installed as an app.'))),
    el('figure.join',
      el('img', { src: '/qr.svg', alt: say('Code with the address of this table') }),
      el('figcaption', say('Scan to follow the score'))));
}
