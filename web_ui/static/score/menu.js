// The menu for everybody: invite others, choose language and voice, open other pages.

import { el, page } from '../shared/dom.js';
import { byVideo, setByVideo } from '../shared/awake.js';
import { level, LEVELS, setLevel } from './caller.js';
import { choice, onDemand, openSheet } from '../shared/forms.js';
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

export function openMenu(match) {
  openSheet(say('Menu'),
    languageChoice(),
    voiceChoice(),
    !navigator.wakeLock && screenChoice(),
    page.dataset.https && el('p', el('a', { href: page.dataset.https }, say('Open this page with https')), ' ', el('small.hint', say('Then the screen stays on, and the page can be installed as an app.'))),
    match && el('button', { onclick: () => openShare(match.id) }, say('Share the result')),
    el('figure.join',
      el('img', { src: '/qr.svg', alt: say('Code with the address of this table') }),
      el('figcaption', say('Scan to follow the score'))),
    el('ul.pages',
      [match && [`/review/${match.id}`, say('Look at the shots')], ['/history', say('Matches and figures')], ['/accuracy', say('How good is it here?')], ['/tv', say("The table's screen")],
        ['/setup', say('Set up the table')]].filter(Boolean).map(([href, name]) => el('li', el('a', { href }, name)))));
}
