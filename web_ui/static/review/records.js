// The names of the kinds of records.

import { say } from '../shared/words.js';

export const RECORDS = {
  round_points: () => say('Most points in a round'),
  round_twenties: () => say('Most twenties in a round'),
  match_twenties: () => say('Most twenties in a match'),
  twenties_in_a_row: () => say('Twenties in a row'),
  wins_in_a_row: () => say('Matches won in a row'),
};
