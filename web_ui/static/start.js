// The form that starts a match.

import { el, page } from './dom.js';
import { choice, field, form, numberField, openSheet, select } from './forms.js';
import { say } from './words.js';

const PARAMETERS = {
  rounds: say('Rounds'),
  games: say('Games'),
  target: say('Target'),
};

/** The format's own figures, as fields; and what the form says of the format. */
function formatFields(choices, rules) {
  const select_ = select(choices.formats.map((one) => [one.kind, one.text]));
  const place = el('div', {});
  let wanted = {};
  let fields = {};
  const fill = () => {
    const chosen = choices.formats.find((one) => one.kind === select_.value);
    const own = rules().format;
    wanted = { ...chosen.default, ...(own.kind === chosen.kind ? own : { kind: chosen.kind }) };
    fields = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in PARAMETERS)
      .map(([name, value]) => [name, numberField(PARAMETERS[name], value, 999)]));
    place.replaceChildren(...Object.values(fields).map((one) => one.element));
  };
  select_.addEventListener('change', fill);
  return {
    elements: [field(say('Format'), select_), place],
    choose: (kind) => { select_.value = kind; fill(); },
    value: () => ({ ...wanted, ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value()])) }),
  };
}

function sideFields(id, before, colours, number) {
  const fallback = say('Player {number}', { number: number + 1 });
  const name = el('input', { value: before?.name ?? fallback, required: true, maxlength: page.dataset.longestName, autocomplete: 'off' });
  const colour = select(colours.map((one) => [one.id, one.name]), before?.colour ?? colours[number]?.id);
  const label = el('span', {}, name.value);
  name.addEventListener('input', () => { label.textContent = name.value; });
  return { id, name, colour, label, element: el('div', { class: 'side-fields' },
    field(say('Name {number}', { number: number + 1 }), name), field(say('Colour'), colour)) };
}

/** Ask for everything that a match begins with. */
export function openStart({ choices, match }, send) {
  const rules = select(choices.rules.map((one) => [one.id, one.name]), match?.rules);
  const ruleSet = () => choices.rules.find((one) => one.id === rules.value);
  const format = formatFields(choices, ruleSet);
  const discs = numberField(say('Discs a side'), 12, 24);
  const fill = () => {
    discs.input.value = ruleSet().discs;
    format.choose(ruleSet().format.kind);
  };
  rules.addEventListener('change', fill);
  fill();
  const sides = ['A', 'B'].map((id, i) => sideFields(id, match?.sides[i], choices.colours, i));
  const starter = choice('starter', say('Begins'), sides.map((side) => [side.id, side.label]), 'A');
  openSheet(say('Start a match'), match && !match.over && el('p', { class: 'hint' }, say('This ends the match that is going on.')),
    form(say('Start'), () => send(['start', {
      rules: rules.value,
      format: format.value(),
      sides: sides.map((side) => ({ name: side.name.value.trim(), colour: side.colour.value })),
      starter: starter.value(),
      discs: discs.value(),
    }]), sides.map((side) => side.element), starter.element, field(say('Rules'), rules), format.elements, discs.element));
}
