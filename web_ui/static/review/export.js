// Links to downloads.

import { el, link } from '../shared/dom.js';
import { say } from '../shared/words.js';

/** A link to a download. */
const file = (label, path, query) => el('a.button', { href: `/api/v1/${path}?${new URLSearchParams(query)}`, download: true }, label);

const files = (query) => [
  file(say('Table of the rounds (CSV)'), 'rounds.csv', query),
  file(say('Match record (JSON)'), 'records', query),
  file(say('Crokinole Match Notation (JSON)'), 'cmn', query),
];

/** The files of one match. */
export const saveMatch = (number) => files({ match: number });

/** The files of the matches of a player and a span of days, and their score sheets. */
export const saveMatches = (query) => el('p.actions.no-print', files(query), link(`/sheet?${new URLSearchParams(query)}`, say('Score sheets to print'), 'button'));
