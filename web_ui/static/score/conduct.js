// Conduct calls: the possible breaches with the source's words, and the penalty.

import { el } from '../shared/dom.js';
import { getJson } from '../shared/commands.js';
import { attempt, choice, openSheet, tool } from '../shared/forms.js';
import { say } from '../shared/words.js';

/** The player's side, and whether it happened during that side's last shot. */
function whose(match, touched) {
  const last = match.last_call;
  const shooter = touched ?? last?.side ?? match.round.to_shoot ?? match.sides[0].id;
  const sides = choice('side', say('Who'), match.sides.map((side) => [side.id, side.name]), shooter);
  const shot = el('input', { type: 'checkbox', checked: Boolean(last) });
  const at = el('label.check', shot, el('span', say('At the last shot')));
  const fill = () => { at.hidden = sides.value() !== last?.side; };
  sides.element.addEventListener('change', fill);
  fill();
  const value = () => ({ side: sides.value(), ...(last && !at.hidden && shot.checked && { round: match.round.number, shot: last.shot }) });
  return { elements: [sides.element, at], value };
}

/** Ask for the breach; `side`: whose plate was touched. */
export async function openConduct(match, send, side = null) {
  const place = el('div', { 'aria-live': 'polite' }, say('One moment …'));
  openSheet(say('Call a player'), place);
  await attempt(async () => {
    const { rule_sets: known } = await getJson('/api/v1/rules');
    const { conduct, choices } = known.find((one) => one.id === match.rules) ?? known[0];
    const who = whose(match, side);
    const call = (one) => tool(one.text, () => send(['call_conduct', { ...who.value(), conduct: one.id }]), one.says);
    const others = conduct.filter((one) => one.says === null);
    place.replaceChildren(...who.elements,
      el('p.hint', `${choices.conduct.title}: ${choices.conduct.text}.`),
      el('div', conduct.filter((one) => one.says !== null).map(call)),
      el('details', el('summary', say('What these rules do not cover')), el('div', others.map(call))));
  });
}
