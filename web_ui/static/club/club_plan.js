// Every action of the organiser shows first what follows from it; what was shown is what is done.

import { give } from '../shared/commands.js';
import { el } from '../shared/dom.js';
import { closeSheet, form, openSheet } from '../shared/forms.js';
import { say, sayMany } from '../shared/words.js';

const changeList = (changes) => el('ul', { class: 'plan' }, changes.map(({ kind, words }) => el('li', { 'data-kind': kind }, words)));

/** The places of those whose results change, on one line; every other change of place on demand. */
function placesOf({ places, changes }) {
  const moved = changes.filter(({ kind }) => kind === 'place');
  return [places.length > 0 && el('p', {}, placeLine(places)),
    moved.length > 0 && el('details', {}, el('summary', {}, sayMany('{n} place changes', '{n} places change', moved.length)), changeList(moved))];
}

export const placeLine = (places) => places.map(({ name, place }) => say('{name}: place {place}', { name, place })).join(' · ');

function show(title, plan, hint = null) {
  const nothing = !plan.changes.length && !plan.notes.length;
  openSheet(title,
    hint && el('p', { class: 'error', role: 'alert' }, hint),
    changeList(plan.changes.filter(({ kind }) => kind !== 'place')),
    placesOf(plan),
    plan.notes.map((words) => el('p', { class: 'hint' }, words)),
    nothing && el('p', {}, say('Nothing changes.')),
    form(say('Confirm'), () => confirm(title, plan)));
}

async function confirm(title, { actions, token }) {
  try {
    await give('/api/confirm', { actions, token });
    closeSheet();
  } catch (error) {
    if (!error.plan) throw error;
    show(title, error.plan, error.message);
  }
}

/** What would follow from one action, without showing it. */
export const preview = (action) => give('/api/plan', { actions: [action] });

/** Carry out a plan that the page shows on a line of its own; where there is more to it, or it has changed, it is shown. */
export async function carryOut(title, plan) {
  if (plan.notes.length || plan.changes.some(({ kind }) => !['result', 'place'].includes(kind))) show(title, plan);
  else await confirm(title, plan);
}

/** Show what would follow. `body` has the actions, or the players who are to be entered. Throws an error with words. */
export const plan = async (title, body) => show(title, await give('/api/plan', body));

/** The same on the sheet that asked for it: actions from a form. */
export const planned = (title, ...actions) => plan(title, { actions });
