// Deletes and restores matches, on the history page, for scorers.

import { command, mayScore } from '../shared/commands.js';
import { el, link } from '../shared/dom.js';
import { button, closeSheet, openSheet } from '../shared/forms.js';
import { say, sayMany, scoresOf } from '../shared/words.js';

const set = (match, deleted) => command('delete_match', { match, deleted });

/** Ask for confirmation, with the consequences. */
function openDelete(match, reload) {
  const players = match.sides.flatMap((side) => side.players).join(', ');
  openSheet(say('Delete this match?'),
    el('p', scoresOf(match)),
    el('p', sayMany('It leaves the list, and {n} round no longer counts in the figures of {players}.',
      'It leaves the list, and {n} rounds no longer count in the figures of {players}.', match.rounds.length, { players })),
    el('p.hint', say('Nothing is lost: it can be brought back at the end of the list.')),
    button(say('Delete the match'), async () => { await set(match.id, true); closeSheet(); await reload(); }, 'main'));
}

/** A scorer's button that deletes a match. */
export const deletion = (match, reload) => mayScore()
  && button(say('Delete'), () => openDelete(match, reload), 'quiet no-print');

/** The deleted matches, to look at or restore. */
export const deletedMatches = (numbers, reload) => numbers.length > 0 && mayScore()
  && el('details.deleted.no-print', el('summary', sayMany('{n} deleted match', '{n} deleted matches', numbers.length)),
    el('ul.matches', numbers.map((number) => el('li', link(`/review/${number}`, say('Match {number}', { number })),
      button(say('Bring back'), async () => { await set(number, false); await reload(); })))));
