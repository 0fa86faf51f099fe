// Every action of the organiser shows first what follows from it; what was shown is what is done.

import { give } from './commands.js';
import { el } from './dom.js';
import { closeSheet, form, openSheet } from './forms.js';
import { say } from './words.js';

function show(title, plan, hint = null) {
  const nothing = !plan.changes.length && !plan.notes.length;
  openSheet(title,
    hint && el('p', { class: 'error', role: 'alert' }, hint),
    el('ul', { class: 'plan' }, plan.changes.map(({ kind, words }) => el('li', { 'data-kind': kind }, words))),
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

/** Show what would follow. `body` has the actions, or the players who are to be entered. Throws an error with words. */
export const plan = async (title, body) => show(title, await give('/api/plan', body));

/** The same on the sheet that asked for it: actions from a form. */
export const planned = (title, ...actions) => plan(title, { actions });
