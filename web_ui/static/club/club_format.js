// The form for a tournament's format: a known one, adjusted by the club.

import { el, folded, put } from '../shared/dom.js';
import { button, check, field, select, valuesOf } from '../shared/forms.js';
import { say } from '../shared/words.js';

const PRESENT = 'present';

const number = (name, label, value, least = 1) => field(label, el('input', { name, type: 'number', inputmode: 'numeric', value, min: least, max: 1000 }));

const option = (name, label, value, options) => field(label, select(options, value, { name }));

const filled = ({ value }) => value !== ''; // what is empty has a default

/** A choice among the kinds of the hub's list, and the fields of the chosen one. `chosen`: the values of the kind `now`; `further`:
 *  fields of all kinds; `of`: how the fields' names begin. */
function kinds(name, label, known, now, chosen, further, of = '') {
  const place = el('div.entry');
  const fill = () => put(place, known.find(({ type }) => type === input.value).fields.map(({ name: member, label: title, usual, words }) => {
    const given = [of + member, title, (input.value === now ? chosen[member] : null) ?? usual];
    return words.length ? option(...given, words) : (typeof usual === 'boolean' ? check : number)(...given);
  }), further);
  const input = select(known.map(({ type, title }) => [type, title]), now, { name, onchange: fill });
  fill();
  return [field(label, input), place];
}

const playOf = (play, { plays }) => kinds('play.kind', say('A match is'), plays, play.kind ?? 'rounds', play, [
  option('play.counts', say('In the standings count'), play.counts, [['points', say('its points')], ['wins', say('2, 1 or 0 for the match')]]),
  number('play.bye', say('Points for a bye; empty for the mean of the round'), play.bye, 0)], 'play.');

/** One stage. Once it has begun, its kind is fixed and it can't be removed. */
function stageOf(stage, begun, formats) {
  const known = formats.stages.filter(({ type }) => !begun || type === stage.type);
  const element = el('fieldset.entry.stage', kinds('type', say('Stage'), known, stage.type, stage, number('entrants', say('How many go on to it, the best first; empty for all'), stage.entrants, 2)),
    stage.play && [el('p.hint', say('In this stage alone:')), playOf(stage.play, formats)], // as in the World Championship's final
    !begun && button(say('Remove this stage'), () => { if (element.parentNode.childElementCount > 1) element.remove(); }, 'quiet'));
  return element;
}

/** The editor of one format, in two parts: its stages, and what is common to them. `begun`: the number of stages that have begun. */
function details(format, begun, formats) {
  const { rankings, criteria } = formats;
  const ranking = `${format.ranking ?? rankings[0]}`;
  const known = rankings.some((each) => `${each}` === ranking) ? rankings : [format.ranking, ...rankings];
  const stages = el('div.entry', format.stages.map((stage, k) => stageOf(stage, k < begun, formats)));
  return [stages, button(say('Add a stage'), () => stages.append(stageOf({ type: 'playoffs', entrants: 8 }, false, formats))), playOf(format.play ?? {}, formats),
    option('ranking', say('Ranking'), ranking, known.map((each) => [`${each}`, each.map((name) => criteria[name]).join(' · ')]))];
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
