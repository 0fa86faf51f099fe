// The names of the kinds of shots, which `controller.match.shot_kinds` defines.

import { say } from '../shared/words.js';

export const KINDS = {
  open_twenty: say('Open twenty'),
  contact: say('Contact'),
  takeout: say('Takeout'),
  double: say('Takeout of two or more'),
  follow_through: say('Follow-through twenty'),
  promotion: say('Own disc promoted'),
  rebound: say('Rebound off a peg'),
};
