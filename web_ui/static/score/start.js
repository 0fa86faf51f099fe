// The form that starts a match.

import { discIcon } from '../shared/board.js';
import { el, page } from '../shared/dom.js';
import { choice, field, form, numberField, openSheet, select } from '../shared/forms.js';
import { knownPlayers, suggestions } from './names.js';
import { say } from '../shared/words.js';

const PARAMETERS = {
  rounds: say('Rounds'),
  games: say('Games'),
  target: say('Target'),
};

const FEWEST_DISCS = 6; // a side; a test holds these to the rules' own
const MOST_DISCS = 12;
const PRACTICE = '1'; // one player alone
const PRACTICE_DISCS = ['8', '12', '24'];

const SEATS_OF = { 1: ['1'], 2: ['1', '3'], 3: ['1', '2', '3'], 4: ['1', '2', '3', '4'] };

/** The fields of a format's figures, and the format as the form states it. */
function formatFields(choices, rules) {
  const kinds = select([]);
  const alone = new Set(choices.rules.filter(({ practice }) => practice).map(({ format }) => format.kind));
  const place = el('div');
  let wanted = {};
  let fields = {};
  const fill = () => {
    const chosen = choices.formats.find((one) => one.kind === kinds.value);
    const own = rules().format;
    wanted = { ...chosen.default, ...(own.kind === chosen.kind ? own : { kind: chosen.kind }) };
    fields = Object.fromEntries(Object.entries(wanted).filter(([name]) => name in PARAMETERS)
      .map(([name, value]) => [name, numberField(PARAMETERS[name], value, 999)]));
    place.replaceChildren(...Object.values(fields).map((one) => one.element));
  };
  kinds.addEventListener('change', fill);
  return {
    kinds: field(say('Format'), kinds),
    place,
    choose(kind) { // among the formats by which these rules can be counted
      const offered = choices.formats.filter((one) => alone.has(one.kind) === rules().practice);
      kinds.replaceChildren(...select(offered.map((one) => [one.kind, one.text])).children);
      kinds.value = kind;
      fill();
    },
    value: () => ({ ...wanted, ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value()])) }),
  };
}

/** A player's name; suggests `known` names that are not in the other fields. */
function nameField(label, value, known, others) {
  const input = el('input', { value, required: true, maxlength: page.dataset.longestName });
  const list = suggestions(input, known, () => others().filter((one) => one.input !== input).map((one) => one.value()));
  const element = el('div.field.combo', el('label', el('span', label), input), list);
  return { input, value: () => input.value.trim(), element, onChange: (then) => input.addEventListener('input', then) };
}

/** One side: its players' names and its colour. */
function sideFields(id, number, players, before, colours, taken, known, others) {
  const names = Array.from({ length: players }, (_, i) => nameField(
    players > 1 ? say('Player {number}', { number: number + 1 + 2 * i }) : say('Name {number}', { number: number + 1 }),
    (players === (before?.seats?.length ?? 1) && before?.seats?.[i]?.player) || say('Player {number}', { number: number + 1 + 2 * i }), known, others));
  const colour = select(colours.map((one) => [one.id, one.name]), before?.colour ?? colours.filter((one) => !taken.includes(one.id))[number - taken.length]?.id);
  return {
    id,
    names,
    name: () => names.map((one) => one.value()).join(' & '),
    colour: () => colour.value,
    element: el('div.side-fields', names.map((one) => one.element), field(say('Colour'), colour)),
  };
}

/** The players: sides, seats and starter. */
function players(choices, match) {
  const kind = choice('kind', say('Who plays'), [[PRACTICE, say('1, practice')], ['2', '2'], ['doubles', say('2 × 2')], ['3', '3'], ['4', '4']], kindOf(match));
  const place = el('div');
  let sides = [];
  let starter = null;
  const known = knownPlayers();
  const seats = () => {
    if (kind.value() !== 'doubles') return SEATS_OF[sides.length].map((seat, i) => [seat, sides[i].names[0]]);
    return ['1', '2', '3', '4'].map((seat, i) => [seat, sides[i % 2].names[i >> 1]]);
  };
  const fill = () => {
    const doubles = kind.value() === 'doubles';
    const count = doubles ? 2 : Number(kind.value());
    const taken = (match?.sides ?? []).slice(0, count).map((side) => side.colour);
    sides = [...'ABCD'].slice(0, count).map((id, i) => sideFields(id, i, doubles ? 2 : 1, match?.sides[i], choices.colours, taken,
      known, () => sides.flatMap((side) => side.names)));
    const labels = seats().map(([seat, name]) => {
      const label = el('span', name.value());
      name.onChange(() => { label.textContent = name.value(); });
      return [seat, label];
    });
    starter = choice('starter', say('Begins'), labels, '1');
    place.replaceChildren(...sides.map((side) => side.element), ...(count > 1 ? [starter.element] : []));
  };
  kind.element.addEventListener('change', fill);
  fill();
  const value = () => {
    const seated = seats();
    const begins = seated.findIndex(([seat]) => seat === starter.value());
    return {
      sides: sides.map((side) => ({ name: side.name(), colour: side.colour() })),
      starter: sides[begins % sides.length].id,
      doubles: kind.value() === 'doubles',
      seats: Object.fromEntries(seated.map(([seat, name]) => [seat, name.value()])),
      seat: Number(starter.value()),
    };
  };
  return { elements: [kind.element, place], value, kind };
}

const kindOf = (match) => (match?.doubles ? 'doubles' : String(match?.sides.length ?? 2));

/** Offer another match like this one, started by the other side. */
export function openRematch(match, send) {
  const began = match.rounds[0]?.starter ?? match.round.starter;
  const starter = match.sides[(match.sides.findIndex((side) => side.id === began) + 1) % match.sides.length];
  const again = ['start', {
    rules: match.rules, format: match.format, discs: match.sides[0].discs, doubles: match.doubles, manual: match.manual,
    sides: match.sides.map(({ name, colour }) => ({ name, colour })),
    seats: Object.fromEntries(match.sides.flatMap((side) => side.seats.map(({ seat, player }) => [seat, player]))),
    starter: starter.id, seat: starter.seats[0].seat,
  }];
  openSheet(say('Rematch'), match.sides.map((side) => el('p.line', discIcon(side.id), side.name)),
    match.sides.length > 1 && el('p.hint', say('{name} begins.', { name: starter.seats[0].player })),
    form(say('Start'), () => send(again)));
}

/** Open the whole form. */
export function openStart({ choices, match, notices }, send) {
  const who = players(choices, match);
  const alone = () => who.kind.value() === PRACTICE;
  const rules = select([]);
  const offer = () => {
    const offered = choices.rules.filter((one) => one.practice === alone());
    rules.replaceChildren(...select(offered.map((one) => [one.id, one.name])).children);
    rules.value = (offered.find((one) => one.id === match?.rules) ?? offered[0]).id;
  };
  offer();
  const ruleSet = () => choices.rules.find((one) => one.id === rules.value) ?? choices.rules[0];
  const format = formatFields(choices, ruleSet);
  const discs = numberField(say('Discs a side'), MOST_DISCS, MOST_DISCS, 1, FEWEST_DISCS);
  const shots = choice('discs', say('Discs'), PRACTICE_DISCS.map((one) => [one, one]), PRACTICE_DISCS.at(-1));
  const count = () => { if (!alone()) discs.input.value = ruleSet().discs[who.kind.value()]; };
  const fill = () => {
    count();
    format.choose(ruleSet().format.kind);
    for (const node of [format.kinds, discs.element]) node.hidden = alone(); // a practice has one format: its own
    shots.element.hidden = !alone();
  };
  rules.addEventListener('change', fill);
  let practised = alone();
  who.kind.element.addEventListener('change', () => {
    if (alone() === practised) { count(); return; }
    practised = alone();
    offer();
    fill();
  });
  fill();
  const manual = el('input', { type: 'checkbox', checked: notices.some(({ kind }) => kind === 'camera') });
  openSheet(say('Start a match'), match && !match.over && el('p.hint', say('This ends the match that is going on.')),
    form(say('Start'), () => send(['start', {
      rules: rules.value, format: format.value(), discs: alone() ? Number(shots.value()) : discs.value(), manual: manual.checked, ...who.value(),
    }]), who.elements, field(say('Rules'), rules), format.kinds, format.place, shots.element, discs.element,
    el('label.check', manual, el('span', say('Score by hand')))));
}
