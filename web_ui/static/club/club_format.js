// The form for a tournament's format: a known one, adjusted by the club.

import { el, folded, put } from '../shared/dom.js';
import { button, check, field, select, valuesOf } from '../shared/forms.js';
import { say } from '../shared/words.js';

const PRESENT = 'present';

const number = (name, label, value, least = 1) => field(label, el('input', { name, type: 'number', inputmode: 'numeric', value, min: least, max: 1000 }));

const option = (name, label, options, value) => field(label, select(options, value, { name }));

const filled = ({ value }) => value !== ''; // what is empty has a default

/** The fields of a kind of stage, from the hub's list. */
const fieldsOf = (fields) => (stage) => fields.map(({ name, label, usual, words }) => {
  const value = stage[name] ?? usual;
  return words.length ? option(name, label, words, value) : (typeof usual === 'boolean' ? check : number)(name, label, value);
});

const rounds = (play) => number('play.rounds', say('Rounds of a game'), play.rounds ?? 4);
const games = (label, usual) => (play) => number('play.games', label, play.games ?? usual);
const target = (usual) => (play) => number('play.target', say('Target'), play.target ?? usual);

/** The ways to play a match, with their fields. */
const PLAYS = {
  rounds: [say('a number of rounds, 2 points each'), rounds, games(say('Games of a match'), 1)],
  race: [say('rounds of 2 points to a target'), target(9)],
  points: [say('differences of totals to a target'), target(100)],
  best_of: [say('best of a number of games'), games(say('Games at most'), 3), rounds],
};

/** A choice among kinds by `name`, each with its words and fields. `chosen`: the values of the kind `now`; `further`: fields of all kinds. */
function kinds(name, label, known, now, chosen, ...further) {
  const place = el('div.entry');
  const fill = () => {
    const [, ...fields] = known[input.value];
    put(place, fields.map((one) => one(input.value === now ? chosen : {})), further);
  };
  const input = select(Object.entries(known).map(([kind, [words]]) => [kind, words]), now, { name, onchange: fill });
  fill();
  return [field(label, input), place];
}

const playOf = (play) => kinds('play.kind', say('A match is'), PLAYS, play.kind ?? 'rounds', play,
  option('play.counts', say('In the standings count'), [['points', say('its points')], ['wins', say('2, 1 or 0 for the match')]], play.counts),
  number('play.bye', say('Points for a bye; empty for the mean of the round'), play.bye, 0));

/** One stage. Once it has begun, its kind is fixed and it can't be removed. */
function stageOf(stage, begun, stages) {
  const known = Object.fromEntries(stages.filter(({ type }) => !begun || type === stage.type).map(({ type, title, fields }) => [type, [title, fieldsOf(fields)]]));
  const element = el('fieldset.entry.stage', kinds('type', say('Stage'), known, stage.type, stage, number('entrants', say('How many go on to it, the best first; empty for all'), stage.entrants, 2)),
    stage.play && [el('p.hint', say('In this stage alone:')), playOf(stage.play)], // as in the World Championship's final
    !begun && button(say('Remove this stage'), () => { if (element.parentNode.childElementCount > 1) element.remove(); }, 'quiet'));
  return element;
}

/** The editor of one format, in two parts: its stages, and what is common to them. `begun`: the number of stages that have begun. */
function details(format, begun, { rankings, criteria, stages: types }) {
  const ranking = `${format.ranking ?? rankings[0]}`;
  const known = rankings.some((each) => `${each}` === ranking) ? rankings : [format.ranking, ...rankings];
  const stages = el('div.entry', format.stages.map((stage, k) => stageOf(stage, k < begun, types)));
  return [stages, button(say('Add a stage'), () => stages.append(stageOf({ type: 'playoffs', entrants: 8 }, false, types))), playOf(format.play ?? {}),
    option('ranking', say('Ranking'), known.map((each) => [`${each}`, each.map((name) => criteria[name]).join(' · ')]), ranking)];
}

/** Choose a format and edit it. `begun`: the number of stages of the present one that have begun; 0 for another evening. */
export function formatEditor(formats, begun = 0) {
  const place = el('div.entry');
  const fill = () => put(place, details(input.value === PRESENT ? formats.present : formats.known[input.value], begun, formats));
  const options = Object.entries(formats.titles);
  const input = select(formats.present ? [[PRESENT, say('As this evening')], ...options] : options, begun ? PRESENT : 'swiss', { onchange: fill });
  fill();
  const value = () => {
    const { play, ranking } = valuesOf(place, (input) => filled(input) && !input.closest('.stage'));
    return { stages: [...place.querySelectorAll('.stage')].map((stage) => valuesOf(stage, filled)), play, ranking: ranking.split(',') };
  };
  return { elements: [field(say('Format'), input), folded(say('Details of the format'), place, { open: begun > 0 })], value };
}
