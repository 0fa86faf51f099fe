// The organiser's occasional decisions: seeds, shoot-outs, reports that do not count, earlier rounds, former evenings.

import { getJson, postJson } from '../shared/commands.js';
import { resultOf, roundName, versus } from './club.js';
import { planned } from './club_plan.js';
import { formatEditor } from './club_format.js';
import { lines, list } from './club_setup.js';
import { el } from '../shared/dom.js';
import { choice, closeSheet, field, form, numberField, openSheet } from '../shared/forms.js';
import { locale, say } from '../shared/words.js';

const MOST = 1000; // twenties of a shoot-out

/** The order of the seeds, as a list to edit, paste, or draw by lot. */
export function seedsForm({ seeding }) {
  const names = list(seeding.map(({ name }) => name).join('\n'));
  const plain = (name) => name.normalize('NFKC').toLowerCase().split(/\s+/).join(' ').trim();
  const ids = new Map(seeding.map(({ id, name }) => [plain(name), id]));
  const lot = () => {
    const mixed = lines(names.value);
    for (let k = mixed.length - 1; k > 0; k -= 1) {
      const other = crypto.getRandomValues(new Uint32Array(1))[0] % (k + 1);
      [mixed[k], mixed[other]] = [mixed[other], mixed[k]];
    }
    names.value = mixed.join('\n');
  };
  const order = () => lines(names.value).map((name) => {
    if (!ids.has(plain(name))) throw new Error(say('There is no player {name}: write the names as they are in the list.', { name }));
    return ids.get(plain(name));
  });
  openSheet(say('Seeds'), form(say('What follows'), () => planned(say('Seeds'), { event: 'seeded', order: order() }),
    el('p.hint', say('The first seed comes first, anyone left out last.')), field(say('Players, one on each line'), names),
    el('button', { onclick: lot }, say('Draw lots'))));
}

function shootOutOf({ place, entrants }) {
  const fields = entrants.map(({ name }) => ({ name, twenties: numberField(say('Twenties'), 0, MOST) }));
  openSheet(say('Shoot-out for place {place}', { place }), form(say('What follows'),
    () => planned(say('Shoot-out for place {place}', { place }), { event: 'shoot_out', entrants: entrants.map(({ id }) => id), twenties: fields.map(({ twenties }) => twenties.value()) }),
    el('p.hint', say('Whoever is still level shoots again. To draw lots, enter different numbers.')),
    fields.map(({ name, twenties }) => el('fieldset', el('legend', name), twenties.element))));
}

/** A shoot-out among those who share a place. */
export function shootOutForm({ tied }) {
  if (tied.length === 1) { shootOutOf(tied[0]); return; }
  const names = ({ place, entrants }) => `${place}: ${entrants.slice(0, 4).map(({ name }) => name).join(', ')}${entrants.length > 4 ? ' …' : ''}`;
  const who = choice('tied', say('Who shares which place'), tied.map((each, k) => [`${k}`, names(each)]), '0');
  openSheet(say('Shoot-out'), form(say('Go on'), async () => shootOutOf(tied[Number(who.value())]), who.element));
}

/** A table's report that does not count, with the possible actions. */
export const leftOut = ({ source, names, figures, why, instead }, table, button) => el('div',
  el('p.error', say('{table} reported {match}, {figures}, which does not count.', { table, match: versus(names), figures: figures.join(' : ') }), ' ', why),
  instead && button(say('Count it for the match that they play now'), () => planned(versus(names), { do: 'count', source })));

/** An entry that was set aside, with the possible actions. */
export const setAside = ({ number, names, figures, why, instead }, button) => el('li',
  el('span', names.length ? say('{match}, {figures}, does not count.', { match: versus(names), figures: figures.join(' : ') }) : say('Entry {n} does not count.', { n: number }), ' ', why),
  el('span.actions',
    instead && button(say('Count it for the match that they play now'), () => planned(versus(names), { do: 'adopt', number })),
    button(say('Dismiss'), () => planned(names.length ? versus(names) : say('Dismiss'), { event: 'undone', entry: number }), 'quiet')));

/** Edit the format of the coming rounds. */
export function formatForm({ formats }) {
  const editor = formatEditor(formats, Math.max(1, formats.begun));
  openSheet(say('Format'), form(say('What follows'), () => planned(say('Format'), { event: 'format_set', format: editor.value() }), editor.elements));
}

/** Every round of the evening, to look at and correct each result. */
export async function earlierRounds({ evening }, correct) {
  const { rounds } = await getJson(`/api/evenings/${evening}`);
  openSheet(say('All rounds'), rounds.reverse().map((round) => [el('h3', roundName(round)),
    el('ul.matches', round.matches.map((match) => el('li', el('span', versus(match.names)), el('b', resultOf(match)),
      el('span.actions', el('button', { class: 'quiet', onclick: () => correct(match) }, say('Correct'))))))]));
}

const day = (at) => new Date(at * 1000).toLocaleDateString(locale, { dateStyle: 'medium' });

function goOn({ id, title, at }, done) {
  openSheet([day(at), title].filter(Boolean).join(', '), el('ul.plan',
    el('li', say('This evening becomes the present one: all pages show it, and the tables get its matches.')),
    el('li', say('Results that tables have reported for it in the meantime count.')),
    el('li', say('The present one is kept as it is.'))),
  form(say('Confirm'), async () => { await postJson('/api/open', { evening: id }); closeSheet(); await done(); }));
}

/** The club's evenings: to look at, download, or continue. */
export const formerEvenings = (evenings, button, done) => el('ul.matches', evenings.map((evening) => el('li',
  el('a', { href: `/evenings/${evening.id}` }, [day(evening.at), evening.title].filter(Boolean).join(', ')),
  evening.open ? el('span', say('the current one')) : button(say('Go on with it'), () => goOn(evening, done), 'quiet'))));
