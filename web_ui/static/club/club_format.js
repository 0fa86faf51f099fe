// A tournament's format: one of those that are known, and changed as the club likes.

import { el } from '../shared/dom.js';
import { field, select } from '../shared/forms.js';
import { say } from '../shared/words.js';

const KNOWN = {
  swiss: () => say('Swiss, five rounds'),
  'round-robin': () => say('Round robin: everybody meets everybody'),
  pools: () => say('Four pools, then play-offs of eight'),
  'swiss-playoffs': () => say('Swiss with four rounds, then play-offs of eight'),
  ladder: () => say('Ladder: winners move up a table'),
  'open-night': () => say('Open night: whoever is free plays'),
  'wcc-singles': () => say('As the World Championship, singles'),
  'croki-nl': () => say('As in the Netherlands'),
};
const PRESENT = 'present';

/** A part of a form: its element, and its value, which is undefined where it is left as it usually is. */
const part = (label, input, value) => ({ element: field(label, input), value });

function number(label, value, least = 1) {
  const input = el('input', { type: 'number', inputmode: 'numeric', value, min: least, max: 1000 });
  return part(label, input, () => (input.value === '' ? undefined : Number(input.value)));
}

function option(label, options, value) {
  const input = select(options, value);
  return part(label, input, () => input.value);
}

function check(label, checked) {
  const input = el('input', { type: 'checkbox', checked });
  return { element: el('label', { class: 'check' }, input, el('span', {}, label)), value: () => input.checked };
}

/** Parts by name: their elements, and one object of all values. */
const joined = (parts) => ({
  elements: Object.values(parts).map(({ element }) => element),
  value: () => Object.fromEntries(Object.entries(parts).map(([name, { value }]) => [name, value()]).filter(([, value]) => value !== undefined)),
});

const entrants = ({ entrants: most }) => number(say('How many go on to it, the best first; empty for all'), most, 2);
const rounds = (stage) => number(say('Rounds; empty until it is ended'), stage.rounds);

const STAGES = {
  swiss: [() => say('Swiss'), (stage) => ({
    rounds: number(say('Rounds of the stage'), stage.rounds ?? 5),
    within: option(say('Who meets among those with equal points'), [['halves', say('upper half and lower half')], ['neighbours', say('neighbours in the standings')]], stage.within),
    rematches: option(say('A second meeting'), [['never', say('never')], ['last_resort', say('only where nothing else is left')]], stage.rematches),
  })],
  round_robin: [() => say('Round robin'), (stage) => ({
    pools: number(say('Pools'), stage.pools ?? 1),
    meetings: number(say('How often each two meet'), stage.meetings ?? 1),
    rounds: number(say('Rounds; empty for all'), stage.rounds),
  })],
  playoffs: [() => say('Play-offs'), (stage) => ({
    third_place: check(say('A match for third place'), stage.third_place ?? true),
    apart: check(say('In the first round those of one pool are kept apart'), stage.apart ?? true),
  })],
  ladder: [() => say('Ladder'), (stage) => ({ rounds: rounds(stage) })],
  open_night: [() => say('Open night'), () => ({})],
};

const PLAYS = {
  rounds: [() => say('so many rounds, 2 points each'), (play) => ({ rounds: number(say('Rounds of a game'), play.rounds ?? 4), games: number(say('Games of a match'), play.games ?? 1) })],
  race: [() => say('rounds of 2 points to a target'), (play) => ({ target: number(say('Target'), play.target ?? 9) })],
  points: [() => say('differences of totals to a target'), (play) => ({ target: number(say('Target'), play.target ?? 100) })],
  best_of: [() => say('best of so many games'), (play) => ({ games: number(say('Games at most'), play.games ?? 3), rounds: number(say('Rounds of a game'), play.rounds ?? 4) })],
};

/** Fields that depend on a choice: of `kinds`, one is chosen with its name, and its fields follow. */
function kinds(name, label, known, told, further) {
  const input = select(Object.entries(known).map(([kind, [words]]) => [kind, words()]), told[name]);
  const place = el('div', { class: 'entry' });
  let parts;
  const fill = () => {
    parts = joined({ ...known[input.value][1](input.value === told[name] ? told : {}), ...further });
    place.replaceChildren(...parts.elements);
  };
  input.addEventListener('change', fill);
  fill();
  return { elements: [field(label, input), place], value: () => ({ [name]: input.value, ...parts.value() }) };
}

const playOf = (play) => kinds('kind', say('A match is'), PLAYS, { kind: 'rounds', ...play }, {
  counts: option(say('In the standings count'), [['points', say('its points')], ['wins', say('2, 1 or 0 for the match')]], play.counts),
  bye: number(say('Points for a bye; empty for the most that a match can give'), play.bye, 0),
});

/** One stage. One that has begun stays the kind that it is, and can't be taken out. */
function stageOf(stage, begun, remove) {
  const known = begun ? { [stage.type]: STAGES[stage.type] } : STAGES;
  const own = kinds('type', say('Stage'), known, stage, { entrants: entrants(stage) });
  const play = stage.play && playOf(stage.play); // matches of its own, as the final of the World Championship has
  const element = el('fieldset', { class: 'entry stage' }, own.elements,
    play && [el('p', { class: 'hint' }, say('In this stage alone:')), play.elements],
    !begun && el('button', { type: 'button', class: 'quiet', onclick: () => remove(element) }, say('Take this stage out')));
  element.told = () => ({ ...own.value(), ...(play && { play: play.value() }) });
  return element;
}

/** Everything about one format, to be changed. `begun` stages have begun. */
function details(format, begun, { rankings, criteria }) {
  const title = (name) => criteria.find((each) => each.name === name)?.title ?? name;
  const known = rankings.some((each) => `${each}` === `${format.ranking ?? rankings[0]}`) ? rankings : [format.ranking, ...rankings];
  const ranking = select(known.map((each) => [`${each}`, each.map(title).join(' · ')]), `${format.ranking ?? rankings[0]}`);
  const stages = el('div', { class: 'entry' });
  const play = playOf(format.play ?? {});
  const add = (stage, isBegun) => stages.append(stageOf(stage, isBegun, (element) => { if (stages.childElementCount > 1) element.remove(); }));
  format.stages.forEach((stage, k) => add(stage, k < begun));
  return {
    elements: [stages, el('button', { type: 'button', onclick: () => add({ type: 'playoffs', entrants: 8 }, false) }, say('One more stage')), play.elements, field(say('Who is ahead'), ranking)],
    value: () => ({ stages: [...stages.children].map((stage) => stage.told()), play: play.value(), ranking: ranking.value.split(',') }),
  };
}

/** Choose a format, and change it. `begun`: how many stages of the present one have begun; 0 for another evening. */
export function formatEditor(formats, begun = 0) {
  const place = el('div', { class: 'entry' });
  const options = Object.keys(formats.known).map((name) => [name, KNOWN[name]?.() ?? name]);
  const input = select(formats.present ? [[PRESENT, say('As on this evening')], ...options] : options, begun ? PRESENT : 'swiss');
  let chosen;
  const fill = () => {
    chosen = details(input.value === PRESENT ? formats.present : formats.known[input.value], begun, formats);
    place.replaceChildren(...chosen.elements.flat());
  };
  input.addEventListener('change', fill);
  fill();
  return { elements: [field(say('Format'), input), el('details', { open: begun > 0 }, el('summary', {}, say('Details of the format')), place)], value: () => chosen.value() };
}
