// The form that starts a match: who, by which rules, go. What is seldom changed is folded away and said in a line.

import { discIcon } from '../shared/board.js';
import { timerName, written } from '../shared/clock.js';
import { el, folded, put, withId } from '../shared/dom.js';
import { choice, field, form, numberField, openSheet, select, valuesOf } from '../shared/forms.js';
import { knownPlayers, nameField } from './names.js';
import { send } from '../shared/scorer.js';
import { colour } from '../shared/sides.js';
import { AND, say, sayMany } from '../shared/words.js';

const PARAMETERS = { rounds: say('Rounds'), games: say('Games'), target: say('Target') };
const PRACTICE = '1'; // one player alone
const LOT = 'lot';

/** One side: its players' names by seat, and its colour as the disc that it plays with. */
function sideFields(id, index, seats, before, colours, taken, known, place) {
  const player = (seat, i) => {
    const usual = say('Player {number}', { number: index + 2 * i + 1 });
    return el('div.combo', nameField({ name: `seats.${seat}`, value: (seats.length === (before?.seats?.length ?? 1) && before?.seats?.[i]?.player) || usual,
      'aria-label': seats.length > 1 ? usual : say('Name {number}', { number: index + 1 }) }, known, () => Object.values(valuesOf(place).seats)));
  };
  const discs = select(colours.map((one) => [one.id, one.name]), before?.colour ?? colours.filter((one) => !taken.includes(one.id))[index - taken.length]?.id, { name: `colours.${id}`, 'aria-label': say('Colour') });
  return el('div.side-fields', el('div.colour', discIcon(id), '⌄', discs), el('div', seats.map(player)));
}

const kindOf = (match) => (match?.doubles ? 'doubles' : String(match?.sides.length ?? 2));

/** The players: sides, seats and starter. */
function players({ colours }, match) {
  const kind = choice('kind', say('Who plays'), [['2', say('2 players')], ['doubles', say('2 × 2')], ['3', '3'], ['4', '4'], [PRACTICE, say('Alone')]], kindOf(match), () => fill());
  const known = knownPlayers();
  let seats = []; // [number, side]
  const of = (id) => seats.filter(([, side]) => side === id).map(([seat]) => seat);
  const doubles = () => valuesOf(kind).kind === 'doubles';
  const place = el('div', { oninput: () => paint() });
  const paint = () => {
    const { seats: names, colours: chosen } = valuesOf(place);
    colour(Object.entries(chosen).map(([id, one]) => ({ id, swatch: withId(colours, one).swatch })), place);
    place.querySelectorAll('[name=starter] + span > :last-child').forEach((label, i) => { label.textContent = names[seats[i][0]]; });
  };
  const fill = () => {
    const count = doubles() ? 2 : Number(valuesOf(kind).kind);
    const taken = (match?.sides ?? []).slice(0, count).map((side) => side.colour);
    const ids = [...'ABCD'].slice(0, count);
    seats = (count === 2 && !doubles() ? ['1', '3'] : [...'1234'].slice(0, doubles() ? 4 : count)).map((seat, i) => [seat, ids[i % count]]);
    put(place, ids.map((id, i) => sideFields(id, i, of(id), match?.sides[i], colours, taken, known, place)),
      count > 1 && choice('starter', say('Who begins?'), [...seats.map(([seat, id]) => [seat, [discIcon(id), el(doubles() ? 'span' : 'span.for-ears')]]), [LOT, say('By lot')]], '1'));
    paint();
  };
  fill();
  const value = () => {
    const { seats: names, colours: chosen, starter = '1' } = valuesOf(place);
    const [seat, begins] = starter === LOT ? seats[Math.floor(Math.random() * seats.length)] : seats.find(([one]) => one === starter);
    return {
      sides: Object.entries(chosen).map(([id, one]) => ({ name: of(id).map((at) => names[at]).join(AND), colour: one })),
      starter: begins, doubles: doubles(), seats: names, seat: Number(seat),
    };
  };
  return { elements: [kind, place], value, kind };
}

/** What is folded away, as in the last match: rules, format, discs; and it in a line. */
function terms(choices, match, kind) {
  const alone = () => valuesOf(kind).kind === PRACTICE;
  const rules = select([], null, { name: 'rules', onchange: () => fillFormats() });
  const kinds = select([], null, { name: 'format.kind', onchange: () => fillLengths() });
  const lengths = el('div');
  const discs = numberField('discs', say('Discs a side'), choices.discs.most, choices.discs.most, 1, choices.discs.fewest);
  const shots = choice('shots', say('Discs'), choices.discs.practice.map((one) => [one, one]), choices.discs.practice.at(-1));
  const formats = field(say('Format'), kinds);
  const line = el('span');
  /** @type {Record<string, any>} */
  let wanted = {};
  const ruleSet = () => withId(choices.rules, rules.value);
  const asBefore = () => rules.value === match?.rules;
  const value = () => {
    const { shots: practised, ...chosen } = valuesOf(element);
    return { ...chosen, format: { ...wanted, ...chosen.format }, ...(alone() && { discs: Number(practised) }) };
  };
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
    put(lengths, Object.entries(PARAMETERS).filter(([name]) => name in wanted).map(([name, label]) => numberField(`format.${name}`, label, wanted[name], 999)));
  };
  const fillFormats = () => { // those by which these rules can be counted
    const practised = new Set(choices.rules.filter(({ practice }) => practice).map((one) => one.format.kind));
    offer(kinds, choices.formats.filter((one) => practised.has(one.kind) === alone()).map((one) => [one.kind, one.text]), (asBefore() ? match : ruleSet()).format.kind);
    fillLengths();
    for (const node of [formats, discs]) node.hidden = alone(); // a practice has one format: its own
    shots.hidden = !alone();
    const { kind: who } = valuesOf(kind);
    if (!alone()) discs.querySelector('input').value = asBefore() && kindOf(match) === who ? match.sides[0].discs : ruleSet().discs[who];
  };
  const fill = () => {
    const offered = choices.rules.filter((one) => one.practice === alone());
    const kept = [rules.value, match?.rules].find((id) => withId(offered, id));
    offer(rules, offered.map((one) => [one.id, one.name]), kept);
    fillFormats();
  };
  kind.addEventListener('change', () => { fill(); tell(); });
  fill();
  const element = folded([line, el('span.button', say('Change'))], el('div', field(say('Rules'), rules), formats, lengths, shots, discs));
  for (const event of ['input', 'change', 'click']) element.addEventListener(event, tell);
  tell();
  return { element, value };
}

/** Open the form, filled in as the last match was. */
export function openStart({ choices, match, notices }) {
  const who = players(choices, match);
  const how = terms(choices, match, who.kind);
  const byHand = match?.manual || notices.some(({ kind }) => kind === 'camera');
  const element = form(say('Start'), ({ counts }) => send('start', { ...how.value(), manual: counts === 'hand', ...who.value() }),
    who.elements, choice('counts', say('Who counts?'), [['camera', say('The camera')], ['hand', say('We do, by hand')]], byHand ? 'hand' : 'camera'), how.element, match && !match.over && el('p.hint', say('This ends the match that is going on.')));
  element.className = 'begin';
  openSheet(say('Start a match'), element);
}
