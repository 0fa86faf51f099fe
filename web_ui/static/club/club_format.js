// The form for a tournament's format: a known one, adjusted by the club.

import { el, put } from '../shared/dom.js';
import { button, check, field, select } from '../shared/forms.js';
import { say } from '../shared/words.js';

const PRESENT = 'present';

/** A part of a form: its element, and its value, which is undefined for the default. */
const part = (label, input, value) => ({ element: field(label, input), value });

function number(label, value, least = 1) {
  const input = el('input', { type: 'number', inputmode: 'numeric', value, min: least, max: 1000 });
  return part(label, input, () => (input.value === '' ? undefined : Number(input.value)));
}

function option(label, options, value) {
  const input = select(options, value);
  return part(label, input, () => input.value);
}

/** Parts by name: their elements, and one object of all values. */
const joined = (parts) => ({
  elements: Object.values(parts).map(({ element }) => element),
  value: () => Object.fromEntries(Object.entries(parts).map(([name, { value }]) => [name, value()]).filter(([, value]) => value !== undefined)),
});

const entrants = ({ entrants: most }) => number(say('How many go on to it, the best first; empty for all'), most, 2);
/** The fields of a kind of stage, from the hub's list. */
const fieldsOf = (fields) => (stage) => Object.fromEntries(fields.map(({ name, label, usual, words }) => {
  const value = stage[name] ?? usual;
  return [name, words.length ? option(label, words, value) : typeof usual === 'boolean' ? check(label, value) : number(label, value)];
}));

const PLAYS = {
  rounds: [say('a number of rounds, 2 points each'), (play) => ({ rounds: number(say('Rounds of a game'), play.rounds ?? 4), games: number(say('Games of a match'), play.games ?? 1) })],
  race: [say('rounds of 2 points to a target'), (play) => ({ target: number(say('Target'), play.target ?? 9) })],
  points: [say('differences of totals to a target'), (play) => ({ target: number(say('Target'), play.target ?? 100) })],
  best_of: [say('best of a number of games'), (play) => ({ games: number(say('Games at most'), play.games ?? 3), rounds: number(say('Rounds of a game'), play.rounds ?? 4) })],
};

/** A choice among `kinds`, with the fields of the chosen one. */
function kinds(name, label, known, chosen, further) {
  const place = el('div.entry');
  let parts;
  const fill = () => {
    parts = joined({ ...known[input.value][1](input.value === chosen[name] ? chosen : {}), ...further });
    put(place, parts.elements);
  };
  const input = select(Object.entries(known).map(([kind, [words]]) => [kind, words]), chosen[name], { onchange: fill });
  fill();
  return { elements: [field(label, input), place], value: () => ({ [name]: input.value, ...parts.value() }) };
}

const playOf = (play) => kinds('kind', say('A match is'), PLAYS, { kind: 'rounds', ...play }, {
  counts: option(say('In the standings count'), [['points', say('its points')], ['wins', say('2, 1 or 0 for the match')]], play.counts),
  bye: number(say('Points for a bye; empty for the mean of the round'), play.bye, 0),
});

/** One stage. Once it has begun, its kind is fixed and it can't be removed. */
function stageOf(stage, begun, stages, remove) {
  const known = Object.fromEntries(stages.filter(({ type }) => !begun || type === stage.type).map(({ type, title, fields }) => [type, [title, fieldsOf(fields)]]));
  const own = kinds('type', say('Stage'), known, stage, { entrants: entrants(stage) });
  const play = stage.play && playOf(stage.play); // its own way to play matches, as in the World Championship's final
  const element = el('fieldset.entry.stage', own.elements,
    play && [el('p.hint', say('In this stage alone:')), play.elements],
    !begun && button(say('Remove this stage'), () => remove(element), 'quiet'));
  element.format = () => ({ ...own.value(), ...(play && { play: play.value() }) });
  return element;
}

/** The editor of one format. `begun`: the number of stages that have begun. */
function details(format, begun, { rankings, criteria, stages: types }) {
  const known = rankings.some((each) => `${each}` === `${format.ranking ?? rankings[0]}`) ? rankings : [format.ranking, ...rankings];
  const ranking = select(known.map((each) => [`${each}`, each.map((name) => criteria[name]).join(' · ')]), `${format.ranking ?? rankings[0]}`);
  const stages = el('div.entry');
  const play = playOf(format.play ?? {});
  const add = (stage, isBegun) => stages.append(stageOf(stage, isBegun, types, (element) => { if (stages.childElementCount > 1) element.remove(); }));
  format.stages.forEach((stage, k) => add(stage, k < begun));
  return {
    elements: [stages, button(say('Add a stage'), () => add({ type: 'playoffs', entrants: 8 }, false)), play.elements, field(say('Ranking'), ranking)],
    value: () => ({ stages: [...stages.children].map((stage) => stage.format()), play: play.value(), ranking: ranking.value.split(',') }),
  };
}

/** Choose a format and edit it. `begun`: the number of stages of the present one that have begun; 0 for another evening. */
export function formatEditor(formats, begun = 0) {
  const place = el('div.entry');
  const options = Object.entries(formats.titles);
  let chosen;
  const fill = () => {
    chosen = details(input.value === PRESENT ? formats.present : formats.known[input.value], begun, formats);
    put(place, chosen.elements);
  };
  const input = select(formats.present ? [[PRESENT, say('As this evening')], ...options] : options, begun ? PRESENT : 'swiss', { onchange: fill });
  fill();
  return { elements: [field(say('Format'), input), el('details', { open: begun > 0 }, el('summary', say('Details of the format')), place)], value: () => chosen.value() };
}
