// Agreements that overrule the rules: a shot played as valid or as a foul.

import { tool } from './forms.js';
import { sends } from './scorer.js';
import { say } from './words.js';

/** The possible agreements about a shot: [label, command, values]. */
const agreements = (shot, where) => [
  shot.played_as !== null && [say('Let the rules decide the shot'), 'correct_shot', { ...where, agreed: 'by_rules' }],
  shot.valid ? [say('Play it as a foul by agreement'), 'correct_shot', { ...where, agreed: 'foul' }]
    : [say('Play it as valid by agreement'), 'correct_shot', { ...where, agreed: 'valid' }],
].filter(Boolean);

/** The correction of what happened at a shot: the same. */
const reversed = (shot, where) => [shot.valid ? say('It was a foul') : say('It was valid'), 'correct_shot', { ...where, valid: !shot.valid }];

/** All that a scorer can say of a shot's verdict. */
export const verdicts = (shot, where) => [reversed(shot, where), ...agreements(shot, where)];

/** The last shot, if people may judge it: alone, there is nobody to agree with. */
const lastShot = ({ sides, last_call: last }) => (sides.length > 1 && last && last.rule !== 'annulled' ? last : null);
const whereOf = ({ round, last_call: last }) => ({ round: round.number, shot: last.shot });

/** The same for the last shot, as tools of a sheet. */
export function agreementTools(match) {
  const last = lastShot(match);
  return last && agreements(last, whereOf(match)).map(([label, ...command]) => tool(label, sends(...command), say('The last shot. The verdict by the rules is shown beside it.')));
}

/** The button that reverses the last shot's verdict; another touch undoes that. If contacts decide, it corrects what
 *  happened on the board; otherwise, or after an agreement, it changes the agreement. */
export function judged(match) {
  const last = lastShot(match);
  if (match.over || match.manual || !last) return null;
  const label = last.valid ? say('Foul') : say('Valid');
  const where = whereOf(match);
  const [words, ...command] = last.played_as === null && last.rule !== 'open_board'
    ? reversed(last, where) : agreements(last, where)[0];
  return { label, words, command };
}
