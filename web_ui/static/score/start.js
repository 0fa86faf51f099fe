// The form that starts a match: who, by which rules, go. What is seldom changed is folded away and said in a line.

import { discIcon } from '../shared/board.js';
import { timerName, written } from '../shared/clock.js';
import { el, folded, put, withId } from '../shared/dom.js';
import { choice, field, form, numberField, openSheet, select, valuesOf } from '../shared/forms.js';
import { knownPlayers, nameField } from './names.js';
import { send } from '../shared/scorer.js';
import { colour } from '../shared/sides.js';
import { AND, say, sayMany } from '../shared/words.js';

const LENGTHS = { rounds: say('Rounds'), games: say('Games'), target: say('Target') };
const PRACTICE = '1'; // one player alone
const LOT = 'lot';
/** Who may play: name, words, and the side at each seat. */
const KINDS = [['2', say('2 players'), 'A B'], ['doubles', say('2 × 2'), 'ABAB'], ['3', '3', 'ABC'], ['4', '4', 'ABCD'], [PRACTICE, say('Alone'), 'A']];

const kindOf = (match) => (match?.doubles ? 'doubles' : String(match?.sides.length ?? 2));

/** The players: their names by seat, each side's colour as the disc that it plays with, and the starter. */
function players({ colours }, match, kind) {
  const known = knownPlayers();
  const place = el('div', { oninput: () => paint() });
  let seats = []; // [number, side]
  const of = (id) => seats.filter(([, side]) => side === id);

  function paint() {
    const { seats: names, colours: chosen } = valuesOf(place);
    colour(Object.entries(chosen).map(([id, one]) => ({ id, swatch: withId(colours, one).swatch })), place);
    place.querySelectorAll('[name=starter] + span > :last-child').forEach((label, i) => { label.textContent = names[seats[i][0]]; });
  }

  function player([seat, side], i) {
    const number = seats.findIndex(([one]) => one === seat) + 1;
    const usual = say('Player {number}', { number });
    const before = withId(match?.sides, side)?.seats ?? [];
    const pair = of(side).length;
    return el('div.combo', nameField({ name: `seats.${seat}`, value: (pair === before.length && before[i].player) || usual,
      'aria-label': pair > 1 ? usual : say('Name {number}', { number }) }, known, () => Object.values(valuesOf(place).seats)));
  }

  function fill() {
    const [who, , seated] = KINDS.find(([one]) => one === valuesOf(kind).kind);
    seats = [...seated].map((side, i) => [String(i + 1), side]).filter(([, side]) => side !== ' ');
    const ids = [...new Set(seats.map(([, side]) => side))];
    const taken = (match?.sides ?? []).slice(0, ids.length).map((side) => side.colour);
    const worn = [...taken, ...colours.map(({ id }) => id).filter((id) => !taken.includes(id))];
    put(place, ids.map((id, i) => el('div.side-fields',
      el('div.colour', discIcon(id), '⌄', select(colours.map((one) => [one.id, one.name]), worn[i], { name: `colours.${id}`, 'aria-label': say('Colour') })),
      el('div', of(id).map(player)))),
    ids.length > 1 && choice('starter', say('Who begins?'), [...seats.map(([seat, id]) => [seat, [discIcon(id), el(who === 'doubles' ? 'span' : 'span.for-ears')]]), [LOT, say('By lot')]], '1'));
    paint();
  }
  fill();
  const value = () => {
    const { seats: names, colours: chosen, starter = '1' } = valuesOf(place);
    const [seat, begins] = starter === LOT ? seats[Math.floor(Math.random() * seats.length)] : seats.find(([one]) => one === starter);
    return {
      sides: Object.entries(chosen).map(([id, one]) => ({ name: of(id).map(([at]) => names[at]).join(AND), colour: one })),
      starter: begins, doubles: valuesOf(kind).kind === 'doubles', seats: names, seat: Number(seat),
    };
  };
  return { place, value, fill };
}

/** What is folded away, as in the last match: rules, format, discs; and it in a line. */
function terms({ rules, formats, discs }, match, kind) {
  const [above, below, lengths] = [el('div', { onchange: () => fillBelow() }), el('div'), el('div')];
  const line = el('span');
  const who = () => valuesOf(kind).kind;
  const ruleSet = () => withId(rules, valuesOf(above).rules);
  const before = () => (ruleSet().id === match?.rules ? match : null);
  /** @type {Record<string, any>} */
  let wanted = {};
  const value = () => {
    const chosen = valuesOf(element);
    return { ...chosen, discs: Number(chosen.discs), format: { ...wanted, ...chosen.format } };
  };
  const tell = () => {
    const { format: { rounds, games, target }, discs: n } = value();
    const length = rounds ? sayMany('{n} round of {discs} discs', '{n} rounds of {discs} discs', rounds, { discs: n }) : say('To {target}, with {discs} discs', { target, discs: n });
    put(line, el('b', games > 1 ? `${games} × ${length}` : length),
      el('small', [ruleSet().name, ...(match?.timers ?? []).map(({ timer, seconds }) => `${timerName(timer)} ${written(seconds)}`)].join(', ')));
  };
  const fillLengths = () => {
    const own = (before() ?? ruleSet()).format;
    const counted = valuesOf(below).format?.kind ?? own.kind;
    wanted = { ...formats.find((one) => one.kind === counted).default, ...(own.kind === counted ? own : { kind: counted }) };
    put(lengths, Object.entries(LENGTHS).filter(([name]) => name in wanted).map(([name, label]) => numberField(`format.${name}`, label, wanted[name], 999)));
  };
  const fillBelow = () => { // a practice has one format: its own
    const practised = rules.filter(({ practice }) => practice).map(({ format }) => format.kind);
    const { practice: offered } = discs;
    put(below, who() === PRACTICE
      ? [lengths, choice('discs', say('Discs'), offered.map((n) => [n, n]), offered.find((n) => String(n) === valuesOf(below).discs) ?? offered.at(-1))]
      : [field(say('Format'), select(formats.filter((one) => !practised.includes(one.kind)).map((one) => [one.kind, one.text]), (before() ?? ruleSet()).format.kind, { name: 'format.kind', onchange: fillLengths })),
        lengths, numberField('discs', say('Discs a side'), before() && kindOf(match) === who() ? match.sides[0].discs : ruleSet().discs[who()], discs.most, 1, discs.fewest)]);
    fillLengths();
  };
  const fill = () => {
    const offered = rules.filter(({ practice }) => practice === (who() === PRACTICE));
    const kept = [valuesOf(above).rules, match?.rules].find((id) => withId(offered, id));
    put(above, field(say('Rules'), select(offered.map((one) => [one.id, one.name]), kept, { name: 'rules' })));
    fillBelow();
    tell();
  };
  const element = folded([line, el('span.button', say('Change'))], el('div', above, below));
  for (const event of ['input', 'change', 'click']) element.addEventListener(event, tell);
  fill();
  return { element, value, fill };
}

/** Open the form, filled in as the last match was. */
export function openStart({ choices, match, notices }) {
  const kind = choice('kind', say('Who plays'), KINDS, kindOf(match), () => { who.fill(); how.fill(); });
  const who = players(choices, match, kind);
  const how = terms(choices, match, kind);
  const byHand = match?.manual || notices.some(({ kind: of }) => of === 'camera');
  const element = form(say('Start'), ({ counts }) => send('start', { ...how.value(), manual: counts === 'hand', ...who.value() }),
    kind, who.place, choice('counts', say('Who counts?'), [['camera', say('The camera')], ['hand', say('We do, by hand')]], byHand ? 'hand' : 'camera'), how.element, match && !match.over && el('p.hint', say('This ends the match that is going on.')));
  element.className = 'begin';
  openSheet(say('Start a match'), element);
}
