// Renaming a player, also to the other name of one person, and undoing it: for those who may score.

import { command, mayScore } from '../shared/commands.js';
import { el, put } from '../shared/dom.js';
import { button, closeSheet, form, openSheet } from '../shared/forms.js';
import { nameField } from '../score/names.js';
import { dayOf, say, sayMany } from '../shared/words.js';

const when = ({ first, last }) => (first === last ? dayOf(first) : say('{first} to {last}', { first: dayOf(first), last: dayOf(last) }));

/** The number of matches and days of a player, shown before a change is confirmed. */
function matchesOf(player, { known }) {
  const one = known.find((other) => other.player === player);
  return one && sayMany('{n} match of {player} ({when})', '{n} matches of {player} ({when})', one.matches, { player, when: when(one) });
}

/** Rename a player. If another has the name, what a merger changes is shown first. */
function openRename(player, everybody, done) {
  const [input, list] = nameField({ name: 'to', value: player }, everybody.players, () => [player]);
  const instead = el('div', { 'aria-live': 'polite' });
  const matches = matchesOf(player, everybody) ?? player;
  const rename = async (to, merge = false) => {
    put(instead);
    try {
      await command('rename_player', { name: player, to, merge, seen: everybody.last_change });
    } catch (error) {
      if (error.player) {
        instead.append(el('p', say('These will be matches of {to}: {matches}.', { to: error.player, matches })),
          button(say('Merge with {player}', error), () => rename(error.player, true)));
      }
      throw error;
    }
    closeSheet();
    await done(to);
  };
  openSheet(say('Rename {player}', { player }), form(say('Rename'), ({ to }) => rename(to), el('div.field.combo', el('label', el('span', say('New name')), input), list),
    el('p', say('It changes in: {matches}.', { matches })),
    el('p.hint', say('What you typed is kept. This can be undone at the end of the page.')), instead));
}

/** A scorer's button for the chosen player. `done(name)` is called with the new name. */
export const naming = (player, everybody, done) => player && mayScore() && el('p.actions.no-print',
  button(say('Rename'), () => openRename(player, everybody, done)));

/** The renamings, to be undone. */
export function changedNames({ changes, last_change: seen }, reload) {
  const undo = async ({ id }) => { await command('undo_naming', { event: id, seen }); await reload(); };
  return changes.length > 0 && mayScore() && el('details.renamed.no-print', el('summary', sayMany('{n} name changed', '{n} names changed', changes.filter((one) => !one.undone).length)),
    el('ul.changes', [...changes].reverse().map((one) => el('li', { class: one.undone && 'undone' },
      el('time', dayOf(one.at * 1000)), el('span', one.text),
      one.undone ? el('em', say('undone')) : button(say('Undo'), () => undo(one), '', say('Undo: {change}', { change: one.text }))))));
}
