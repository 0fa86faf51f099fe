// The scorer: opens and closes sessions, sends commands, and shows conflicting changes by others.

import { el, page, remembered } from './dom.js';
import { command, enter, findSession, leave, mayScore, pinNeeded } from './commands.js';
import { button, closeSheet, fillSheet, offers, onSheet, openForm, seen, sheetIsNew, textField } from './forms.js';
import { joined, say, timeOf } from './words.js';

const NAME = 'scorer';
let redraw = () => {};
let reload = () => {};

/** Call `load()` after each command that was sent, on a page that does not follow the state. */
export const onSent = (load) => { reload = load; };

/** Announce that a session was opened or closed. */
export function sessionChanged() {
  page.dataset.scorer = mayScore() ? 'yes' : 'no';
  redraw();
}

/** Send a command. Returns whether it was carried out; if not, the sheet shows what others changed. */
export async function carryOut(what, values) {
  try {
    await command(what, { seen: seen(), ...values });
    return true;
  } catch (error) {
    if (!error.changes) throw error;
    openOvertaken(error.changes, meansTheLast(what, values) ? null : sends(what, values));
    return false;
  } finally {
    if (!mayScore()) sessionChanged();
  }
}

/** Send a command and close the sheet from which it was sent; one that was opened before the answer stays. */
export async function send(what, values = {}) {
  const from = onSheet();
  if (await carryOut(what, values) && from === onSheet()) closeSheet();
  await reload();
}

/** What sends a command when it is called. */
export const sends = (...command) => () => send(...command);

/** What corrects a match's last shot when it is called. */
export const correctsLast = ({ round, last_call: last }, said) => sends('correct_shot', { round: round.number, shot: last.shot, ...said });

/** A line for a change: when, who, what. */
export const changeLine = ({ at, who, text, undone }) => el('li', { class: undone && 'undone' },
  el('time', timeOf(at)),
  el('span', joined([who, text], ': ')),
  undone && el('small', say('undone')));

/** Whether a command acts on the last step, which others have replaced: repeating it would undo another step. */
const meansTheLast = (what, { event }) => what === 'redo' || (what === 'undo' && !event);

/** Show what others have changed, with a button for `again()`, which repeats what was asked for. */
export function openOvertaken(changes, again) {
  fillSheet(say('Something has changed'),
    el('ul.changes', changes.map(changeLine)),
    el('div.answers',
      button(say('Leave it as it is'), closeSheet),
      again && button(say('Change it all the same'), again, 'main')));
  sheetIsNew(Math.max(...changes.map((one) => one.id)));
}

/** Ask for the PIN if needed, open a session, then call `then`. */
export async function openPin(then) {
  await findSession(); // whether the PIN is needed: not at the table's own screen, nor by who was let in before
  openForm(say('Keep score'), say('Enter'), async ({ pin = null, name }) => {
    await enter(pin, name);
    remembered.set(NAME, name);
    sessionChanged();
    then();
  }, pinNeeded() && [textField('pin', say('PIN'), { class: 'pin', inputmode: 'numeric', autocomplete: 'off', required: true, maxlength: 20 }),
    el('p.hint', say("The table's screen shows it between matches. During one, a scorer's menu lets you in."))],
  textField('name', say('Your name, for the list of changes'), { value: remembered.get(NAME) ?? '', maxlength: page.dataset.longestName, autocomplete: 'nickname' }));
  const first = /** @type {HTMLElement} */ (document.querySelector('dialog input'));
  first.focus();
}

offers.pin = () => button(say('Keep score'), () => openPin(closeSheet));

/** End the session. */
export const stopScoring = () => leave().finally(sessionChanged).then(closeSheet);

/** Find out whether this browser may score; `show` redraws the page whenever that changes. */
export function scorerReady(show) {
  redraw = show;
  findSession().then(sessionChanged, () => {});
}
