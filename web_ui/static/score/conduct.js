// Conduct calls: the possible breaches with the source's words, and the penalty.

import { el, folded, withId } from '../shared/dom.js';
import { getJson } from '../shared/commands.js';
import { check, choice, openFetched, tool, valuesOf } from '../shared/forms.js';
import { send } from '../shared/scorer.js';
import { say } from '../shared/words.js';

/** The player's side, and whether it happened during that side's last shot. */
function whose(match, touched) {
  const last = match.last_call;
  const shooter = touched ?? last?.side ?? match.round.to_shoot ?? match.sides[0].id;
  const sides = choice('side', say('Who'), match.sides.map((side) => [side.id, side.name]), shooter, () => fill());
  const at = check('there', say('At the last shot'), Boolean(last));
  const fill = () => { at.hidden = valuesOf(sides).side !== last?.side; };
  fill();
  const value = () => ({ ...valuesOf(sides), ...(last && !at.hidden && valuesOf(at).there && { round: match.round.number, shot: last.shot }) });
  return { elements: [sides, at], value };
}

/** Ask for the breach; `side`: whose plate was touched. */
export const openConduct = (match, side = null) => openFetched(say('Call a player'), async () => {
  const { rule_sets: known } = await getJson('/api/v1/rules');
  const { conduct, choices } = withId(known, match.rules) ?? known[0];
  const who = whose(match, side);
  const call = (one) => tool(one.text, () => send('call_conduct', { ...who.value(), conduct: one.id }), one.says);
  const others = conduct.filter((one) => one.says === null);
  return [who.elements,
    el('p.hint', `${choices.conduct.title}: ${choices.conduct.text}.`),
    el('div', conduct.filter((one) => one.says !== null).map(call)),
    folded(say('What these rules do not cover'), el('div', others.map(call)))];
});
