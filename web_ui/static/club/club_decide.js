// The organiser's occasional decisions: seeds, shoot-outs, reports that do not count, earlier rounds, former evenings.

import { getJson, postJson } from '../shared/commands.js';
import { matchList, resultOf, roundName, versus } from './club.js';
import { openPlan, plan, planned } from './club_plan.js';
import { formatEditor } from './club_format.js';
import { lines, list } from './club_setup.js';
import { el, link } from '../shared/dom.js';
import { button, choice, field, numberField, openForm, openSheet } from '../shared/forms.js';
import { dayOf, joined, say } from '../shared/words.js';

const MOST = 1000; // twenties of a shoot-out

/** The order of the seeds, as a list to edit, paste, or draw by lot. */
export function seedsForm({ seeding }) {
  const names = list(seeding.map(({ name }) => name).join('\n'));
  const lot = () => {
    const all = lines(names.value);
    const lots = crypto.getRandomValues(new Uint32Array(all.length));
    names.value = all.map((name, k) => [lots[k], name]).sort(([a], [b]) => a - b).map(([, name]) => name).join('\n');
  };
  openForm(say('Seeds'), say('What follows'), ({ players }) => plan(say('Seeds'), { seeds: lines(players) }),
    el('p.hint', say('The first seed comes first, anyone left out last.')), field(say('Players, one on each line'), names),
    button(say('Draw lots'), lot));
}

function shootOutOf({ place, entrants }) {
  openPlan(say('Shoot-out for place {place}', { place }),
    ({ twenties }) => ({ event: 'shoot_out', entrants: entrants.map(({ id }) => id), twenties: Object.values(twenties) }),
    el('p.hint', say('Whoever is still level shoots again. To draw lots, enter different numbers.')),
    entrants.map(({ name }, k) => el('fieldset', el('legend', name), numberField(`twenties.${k}`, say('Twenties'), 0, MOST))));
}

/** A shoot-out among those who share a place. */
export function shootOutForm({ tied }) {
  if (tied.length === 1) { shootOutOf(tied[0]); return; }
  const names = ({ place, entrants }) => `${place}: ${entrants.slice(0, 4).map(({ name }) => name).join(', ')}${entrants.length > 4 ? ' …' : ''}`;
  openForm(say('Shoot-out'), say('Go on'), (chosen) => shootOutOf(tied[chosen.tied]),
    choice('tied', say('Who shares which place'), tied.map((each, k) => [k, names(each)]), 0));
}

/** What was reported and does not count, with the possible actions. `table`: the name of the one that reports it. */
export const leftOut = ({ source, entry, names, figures, why, instead }, table) => el('li',
  el('span', table && `${table}: `, names.length ? say('{match}, {figures}, does not count.', { match: versus(names), figures: figures.join(' : ') }) : entry && say('Entry {n} does not count.', { n: entry }), ' ', why),
  el('span.actions',
    instead && button(say('Count it for the match that they play now'), () => planned(versus(names), { do: 'count', source })),
    entry && button(say('Dismiss'), () => planned(names.length ? versus(names) : say('Dismiss'), { event: 'undone', entry }), 'quiet')));

/** Edit the format of the coming rounds. */
export function formatForm({ formats }) {
  const editor = formatEditor(formats, Math.max(1, formats.begun));
  openPlan(say('Format'), () => ({ event: 'format_set', format: editor.value() }), editor.elements);
}

/** Every round of the evening, to look at and correct each result. */
export async function earlierRounds({ evening }, correct) {
  const { rounds } = await getJson(`/api/evenings/${evening}`);
  openSheet(say('All rounds'), rounds.reverse().map((round) => [el('h3', roundName(round)),
    matchList(round.matches, resultOf, (match) => el('span.actions', button(say('Correct'), () => correct(match), 'quiet')))]));
}

const titleOf = ({ title, at }) => joined([dayOf(at * 1000), title], ', ');

function goOn(evening, done) {
  openForm(titleOf(evening), say('Confirm'), async () => { await postJson('/api/open', { evening: evening.id }); await done(); },
    el('ul.plan',
      el('li', say('This evening becomes the present one: all pages show it, and the tables get its matches.')),
      el('li', say('Results that tables have reported for it in the meantime count.')),
      el('li', say('The present one is kept as it is.'))));
}

/** The club's evenings: to look at, download, or continue. */
export const formerEvenings = (evenings, done) => el('ul.matches', evenings.map((evening) => el('li',
  link(`/evenings/${evening.id}`, titleOf(evening)),
  evening.open ? el('span', say('the current one')) : button(say('Go on with it'), () => goOn(evening, done), 'quiet'))));
