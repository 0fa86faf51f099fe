// Deletes and restores matches, on the history page, for scorers.

import { mayScore } from '../shared/commands.js';
import { el, folded, link } from '../shared/dom.js';
import { button, openForm } from '../shared/forms.js';
import { sends } from '../shared/scorer.js';
import { say, sayMany, scoresOf } from '../shared/words.js';

const set = (match, deleted) => sends('delete_match', { match, deleted, seen: null }); // the page shows no state

/** Ask for confirmation, with the consequences. */
function openDelete(match) {
  const players = match.sides.flatMap((side) => side.players).join(', ');
  openForm(say('Delete this match?'), say('Delete the match'), set(match.id, true),
    el('p', scoresOf(match)),
    el('p', sayMany('It leaves the list, and {n} round no longer counts in the figures of {players}.',
      'It leaves the list, and {n} rounds no longer count in the figures of {players}.', match.rounds.length, { players })),
    el('p.hint', say('Nothing is lost: it can be brought back at the end of the list.')));
}

/** A scorer's button that deletes a match. */
export const deletion = (match) => mayScore() && button(say('Delete'), () => openDelete(match), 'quiet no-print');

/** The deleted matches, to look at or restore. */
export const deletedMatches = (numbers) => numbers.length > 0 && mayScore()
  && folded(sayMany('{n} deleted match', '{n} deleted matches', numbers.length),
    el('ul.matches', numbers.map((number) => el('li', link(`/review/${number}`, say('Match {number}', { number })),
      button(say('Bring back'), set(number, false))))), { class: 'deleted no-print' });
