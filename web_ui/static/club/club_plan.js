// Shows the consequences of an organiser's action, and carries out exactly those once confirmed.

import { postJson } from '../shared/commands.js';
import { each, el, folded } from '../shared/dom.js';
import { closeSheet, form, openForm, openSheet } from '../shared/forms.js';
import { say, sayMany } from '../shared/words.js';

const changeList = (changes) => el('ul.plan', changes.map(({ kind, words }) => el('li', { 'data-kind': kind }, words)));

/** The changed places of those whose results change, on one line; all others on demand. */
function placesOf({ places, changes }) {
  const moved = changes.filter(({ kind }) => kind === 'place');
  return [places.length > 0 && el('p', placeLine(places)),
    moved.length > 0 && folded(sayMany('{n} place changes', '{n} places change', moved.length), changeList(moved))];
}

export const placeLine = (places) => places.map(({ name, place }) => say('{name}: place {place}', { name, place })).join(' · ');

function show(title, plan, hint = null) {
  const nothing = !plan.changes.length && !plan.notes.length;
  openSheet(title,
    hint && el('p.error', { role: 'alert' }, hint),
    changeList(plan.changes.filter(({ kind }) => kind !== 'place')),
    placesOf(plan),
    each('p.hint', plan.notes),
    nothing && el('p', say('Nothing changes.')),
    form(say('Confirm'), () => confirm(title, plan)));
}

async function confirm(title, { actions, token }) {
  try {
    await postJson('/api/confirm', { actions, token });
    closeSheet();
  } catch (error) {
    if (!error.plan) throw error;
    show(title, error.plan, error.message);
  }
}

/** The consequences of one action, without showing them. */
export const preview = (action) => postJson('/api/plan', { actions: [action] });

/** Carry out a plan that the page has shown on a line; if it has more consequences or has changed, show it instead. */
export async function carryOut(title, plan) {
  if (plan.notes.length || plan.changes.some(({ kind }) => !['result', 'place'].includes(kind))) show(title, plan);
  else await confirm(title, plan);
}

/** Show the consequences. `body`: the actions, or players to add. Throws an error with a message. */
export const plan = async (title, body) => show(title, await postJson('/api/plan', body));

/** The same for one action. */
export const planned = (title, action) => plan(title, { actions: [action] });

/** Open a form whose values make the action. */
export const openPlan = (title, action, ...content) => openForm(title, say('What follows'), (values) => planned(title, action(values)), ...content);
