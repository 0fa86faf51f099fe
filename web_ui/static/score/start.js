// The form that starts a match: who, by which rules, go. What is seldom changed is folded away and said in a line.

import { discIcon } from '../shared/board.js';
import { timerName, written } from '../shared/clock.js';
import { el, page, put, withId } from '../shared/dom.js';
import { choice, field, form, numberField, openSheet, select } from '../shared/forms.js';
import { knownPlayers, suggestions } from './names.js';
import { send } from '../shared/scorer.js';
import { colour } from '../shared/sides.js';
import { say, sayMany } from '../shared/words.js';

const PARAMETERS = { rounds: say('Rounds'), games: say('Games'), target: say('Target') };
const PRACTICE = '1'; // one player alone
const LOT = 'lot';

/** A player's name; suggests `known` names that are not in the other fields. */
function nameField(label, value, known, others) {
  const input = el('input', { value, required: true, maxlength: page.dataset.longestName, 'aria-label': label });
  const list = suggestions(input, known, () => others().filter((one) => one.input !== input).map((one) => one.value()));
  return { input, value: () => input.value.trim(), element: el('div.combo', input, list) };
}

/** One side: its players' names, and its colour as the disc that it plays with. */
function sideFields(id, number, players, before, colours, taken, known, others) {
  const usual = (seat) => say('Player {number}', { number: seat + 1 });
  const names = Array.from({ length: players }, (_, i) => nameField(players > 1 ? usual(number + 2 * i) : say('Name {number}', { number: number + 1 }),
    (players === (before?.seats?.length ?? 1) && before?.seats?.[i]?.player) || usual(number + 2 * i), known, others));
  const discs = select(colours.map((one) => [one.id, one.name]), before?.colour ?? colours.filter((one) => !taken.includes(one.id))[number - taken.length]?.id, { 'aria-label': say('Colour') });
  return {
    id,
    names,
    name: () => names.map((one) => one.value()).join(' & '),
    colour: () => discs.value,
    element: el('div.side-fields', el('div.colour', discIcon(id), '⌄', discs), el('div', names.map((one) => one.element))),
  };
}

const kindOf = (match) => (match?.doubles ? 'doubles' : String(match?.sides.length ?? 2));

/** The players: sides, seats and starter. */
function players({ colours }, match) {
  const kind = choice('kind', say('Who plays'), [['2', say('2 players')], ['doubles', say('2 × 2')], ['3', '3'], ['4', '4'], [PRACTICE, say('Alone')]], kindOf(match));
  const known = knownPlayers();
  let sides = [];
  let seats = []; // [number, side, name's field]
  let starter = null;
  const paint = () => colour(sides.map((side) => ({ id: side.id, swatch: withId(colours, side.colour()).swatch })), place);
  const place = el('div', { onchange: paint });
  const fill = () => {
    const doubles = kind.value() === 'doubles';
    const count = doubles ? 2 : Number(kind.value());
    const taken = (match?.sides ?? []).slice(0, count).map((side) => side.colour);
    sides = [...'ABCD'].slice(0, count).map((id, i) => sideFields(id, i, doubles ? 2 : 1, match?.sides[i], colours, taken,
      known, () => sides.flatMap((side) => side.names)));
    seats = (count === 2 && !doubles ? ['1', '3'] : [...'1234'].slice(0, doubles ? 4 : count))
      .map((seat, i) => [seat, sides[i % count], sides[i % count].names[doubles ? i >> 1 : 0]]);
    starter = choice('starter', say('Who begins?'), [...seats.map(([seat, { id }, name]) => {
      const label = el(doubles ? 'span' : 'span.for-ears', name.value());
      name.input.addEventListener('input', () => { label.textContent = name.value(); });
      return [seat, [discIcon(id), label]];
    }), [LOT, say('By lot')]], '1');
    put(place, sides.map((side) => side.element), count > 1 && starter.element);
    paint();
  };
  kind.element.addEventListener('change', fill);
  fill();
  const value = () => {
    const [seat, begins] = starter.value() === LOT ? seats[Math.floor(Math.random() * seats.length)] : seats.find(([one]) => one === starter.value());
    return {
      sides: sides.map((side) => ({ name: side.name(), colour: side.colour() })),
      starter: begins.id,
      doubles: kind.value() === 'doubles',
      seats: Object.fromEntries(seats.map(([number, , name]) => [number, name.value()])),
      seat: Number(seat),
    };
  };
  return { elements: [kind.element, place], value, kind };
}

/** What is folded away, as in the last match: rules, format, discs; and it in a line. */
function terms(choices, match, kind) {
  const alone = () => kind.value() === PRACTICE;
  const rules = select([], null, { onchange: () => fillFormats() });
  const kinds = select([], null, { onchange: () => fillLengths() });
  const lengths = el('div');
  const discs = numberField(say('Discs a side'), choices.discs.most, choices.discs.most, 1, choices.discs.fewest);
  const shots = choice('discs', say('Discs'), choices.discs.practice.map((one) => [one, one]), choices.discs.practice.at(-1));
  const formats = field(say('Format'), kinds);
  const line = el('span');
  /** @type {Record<string, any>} */
  let wanted = {};
  let fields = {};
  const ruleSet = () => withId(choices.rules, rules.value);
  const asBefore = () => rules.value === match?.rules;
  const format = () => ({ ...wanted, ...Object.fromEntries(Object.entries(fields).map(([name, one]) => [name, one.value()])) });
  const value = () => ({ rules: rules.value, format: format(), discs: alone() ? Number(shots.value()) : discs.value() });
  const offer = (list, options, chosen) => {
    put(list, ...select(options).children);
    list.value = chosen ?? options[0][0];
  };
  const tell = () => {
    const { format: { rounds, games, target }, discs: n } = value();
    const length = rounds ? sayMany('{n} round of {discs} discs', '{n} rounds of {discs} discs', rounds, { discs: n }) : say('To {target}, with {discs} discs', { target, discs: n });
    put(line, el('b', games > 1 ? `${games} × ${length}` : length),
      el('small', [ruleSet().name, ...(match?.timers ?? []).map(({ timer, seconds }) => `${timerName(timer)} ${written(seconds)}`)].join(', ')));
  };
  const fillLengths = () => {
    const own = asBefore() ? match.format : ruleSet().format;
    wanted = { ...choices.formats.find((one) => one.kind === kinds.value).default, ...(own.kind === kinds.value ? own : { kind: kinds.value }) };
    fields = Object.fromEntries(Object.keys(PARAMETERS).filter((name) => name in wanted).map((name) => [name, numberField(PARAMETERS[name], wanted[name], 999)]));
    put(lengths, Object.values(fields).map((one) => one.element));
  };
  const fillFormats = () => { // those by which these rules can be counted
    const practised = new Set(choices.rules.filter(({ practice }) => practice).map((one) => one.format.kind));
    offer(kinds, choices.formats.filter((one) => practised.has(one.kind) === alone()).map((one) => [one.kind, one.text]), (asBefore() ? match : ruleSet()).format.kind);
    fillLengths();
    for (const node of [formats, discs.element]) node.hidden = alone(); // a practice has one format: its own
    shots.element.hidden = !alone();
    if (!alone()) discs.input.value = asBefore() && kindOf(match) === kind.value() ? match.sides[0].discs : ruleSet().discs[kind.value()];
  };
  const fill = () => {
    const offered = choices.rules.filter((one) => one.practice === alone());
    const kept = [rules.value, match?.rules].find((id) => withId(offered, id));
    offer(rules, offered.map((one) => [one.id, one.name]), kept);
    fillFormats();
  };
  kind.element.addEventListener('change', () => { fill(); tell(); });
  fill();
  const element = el('details', el('summary', line, el('span.button', say('Change'))), el('div', field(say('Rules'), rules), formats, lengths, shots.element, discs.element));
  for (const event of ['input', 'change', 'click']) element.addEventListener(event, tell);
  tell();
  return { element, value };
}

/** Open the form, filled in as the last match was. */
export function openStart({ choices, match, notices }) {
  const who = players(choices, match);
  const how = terms(choices, match, who.kind);
  const byHand = match?.manual || notices.some(({ kind }) => kind === 'camera');
  const counts = choice('counts', say('Who counts?'), [['camera', say('The camera')], ['hand', say('We do, by hand')]], byHand ? 'hand' : 'camera');
  const element = form(say('Start'), () => send('start', { ...how.value(), manual: counts.value() === 'hand', ...who.value() }),
    who.elements, counts.element, how.element, match && !match.over && el('p.hint', say('This ends the match that is going on.')));
  element.className = 'begin';
  openSheet(say('Start a match'), element);
}
