// Renaming a player, merging two names of one person, and undoing both: for those who may score.

import { command, mayScore } from '../shared/commands.js';
import { el, page } from '../shared/dom.js';
import { attempt, closeSheet, field, form, openSheet, select } from '../shared/forms.js';
import { locale, say, sayMany } from '../shared/words.js';

const dayName = (day) => new Date(`${day}T12:00`).toLocaleDateString(locale, { dateStyle: 'medium' });
const when = ({ first, last }) => (first === last ? dayName(first) : say('{first} to {last}', { first: dayName(first), last: dayName(last) }));
const kept = () => el('p.hint', say('What you typed is kept. This can be undone at the end of the page.'));

/** The number of matches and days of a player, shown before a change is confirmed. */
function matchesOf(player, { known }) {
  const one = known.find((other) => other.player === player);
  return one && sayMany('{n} match of {player} ({when})', '{n} matches of {player} ({when})', one.matches, { player, when: when(one) });
}

function openRename(player, everybody, done) {
  const input = el('input', { value: player, required: true, maxlength: page.dataset.longestName, autocomplete: 'off' });
  const instead = el('div');
  const rename = async () => {
    const to = input.value.trim();
    instead.replaceChildren();
    try {
      await command('rename_player', { name: player, to, seen: everybody.last_change });
    } catch (error) {
      if (error.player) instead.append(el('button', { onclick: () => openMerge(player, everybody, done, error.player) }, say('Merge with {player}', error)));
      throw error;
    }
    closeSheet();
    await done(to);
  };
  openSheet(say('Rename {player}', { player }), form(say('Rename'), rename, field(say('New name'), input),
    el('p', say('It changes in: {matches}.', { matches: matchesOf(player, everybody) ?? player })), kept(), instead));
}

function openMerge(player, everybody, done, into = '') {
  const others = everybody.players.filter((name) => name !== player);
  const who = select([['', say('Choose')], ...others.map((name) => [name, name])], into);
  who.required = true;
  const follows = el('p', { 'aria-live': 'polite' });
  const tell = () => {
    const to = who.value;
    follows.textContent = to && say('These will be matches of {to}: {matches}.', { to, matches: matchesOf(player, everybody) ?? player });
  };
  who.addEventListener('change', tell);
  tell();
  const merge = async () => {
    const to = who.value;
    await command('merge_players', { name: player, to, seen: everybody.last_change });
    closeSheet();
    await done(to);
  };
  openSheet(say('Merge {player} with another name', { player }), form(say('Merge'), merge,
    el('p', say('For two names of one person.')), field(say('The name to keep'), who), follows, kept()));
}

/** A scorer's buttons for the chosen player. `done(name)` is called with the new name. */
export const naming = (player, everybody, done) => (player && mayScore() ? [el('p.actions.no-print',
  el('button', { onclick: () => openRename(player, everybody, done) }, say('Rename')),
  everybody.players.length > 1 && el('button', { onclick: () => openMerge(player, everybody, done) }, say('Merge with another name')))] : []);

/** The renamings and mergers, to be undone. */
export function changedNames({ changes, last_change: seen }, reload) {
  if (!changes.length || !mayScore()) return [];
  const undo = ({ id }) => attempt(async () => { await command('undo_naming', { event: id, seen }); await reload(); });
  return [el('details.renamed.no-print', el('summary', sayMany('{n} name changed', '{n} names changed', changes.filter((one) => !one.undone).length)),
    el('ul.changes', [...changes].reverse().map((one) => el('li', { class: one.undone && 'undone' },
      el('time', new Date(one.at * 1000).toLocaleDateString(locale, { dateStyle: 'medium' })), el('span', one.text),
      one.undone ? el('em', say('undone')) : el('button', { 'aria-label': say('Undo: {change}', { change: one.text }), onclick: () => undo(one) }, say('Undo'))))))];
}
