// The scorer: who may score, which commands are sent, and what happens when somebody else was quicker.

import { el, page, remembered } from './dom.js';
import { command, enter, findSession, leave, mayScore, pinNeeded } from './commands.js';
import { attempt, closeSheet, errorPlace, field, form, looksAt, onSheet, openSheet, seen, sheetIsNew } from './forms.js';
import { locale, say } from './words.js';

const NAME = 'scorer';
let redraw = () => {};
let known = null; // whether this browser has a session: resolved when the table has said so

/** Whether this browser may score has changed. */
export function sessionChanged() {
  page.dataset.scorer = mayScore() ? 'yes' : 'no';
  redraw();
}

export { looksAt };

/** Send commands one after another. True when all were carried out; false when others were quicker: the sheet says so. */
export async function carryOut(...commands) {
  let state = seen();
  let sent = 0;
  try {
    for (const [what, values] of commands) {
      ({ id: state } = await command(what, { seen: state, ...values }));
      sent += 1;
    }
    return true;
  } catch (error) {
    if (!error.changes) throw error;
    openOvertaken(error.changes, commands.slice(sent));
    return false;
  } finally {
    if (!mayScore()) sessionChanged();
  }
}

/** Send commands and close the sheet from which they were sent; one that was opened before the answer stays. */
export async function send(...commands) {
  const from = onSheet();
  if (await carryOut(...commands) && from === onSheet()) closeSheet();
}

/** A line for a change: when, who, what. */
export const changeLine = ({ at, who, text, undone }) => el('li', { class: undone ? 'undone' : '' },
  el('time', {}, new Date(at * 1000).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' })),
  el('span', {}, [who, text].filter(Boolean).join(': ')),
  undone && el('small', {}, say('undone')));

/** The last step is another one now, which the sender did not mean. */
const meansTheLast = ([what, values]) => what === 'redo' || (what === 'undo' && !values?.event);

/** Show what others changed meanwhile; the commands are sent again by whoever still wants them. */
export function openOvertaken(changes, commands) {
  const error = errorPlace();
  const again = !commands.some(meansTheLast);
  openSheet(say('Something has changed'),
    el('ul', { class: 'changes' }, changes.map(changeLine)),
    el('div', { class: 'answers' },
      el('button', { type: 'button', onclick: closeSheet }, say('Leave it as it is')),
      again && el('button', { type: 'button', class: 'main', onclick: () => attempt(error, () => send(...commands)) }, say('Change it all the same'))),
    error);
  sheetIsNew(Math.max(...changes.map((one) => one.id)));
}

/** Let somebody in, and go on with `then`. */
export async function openPin(then) {
  await known; // before this, nobody knows that the table's own screen needs no PIN
  const name = el('input', { value: remembered.get(NAME) ?? '', maxlength: page.dataset.longestName, autocomplete: 'nickname' });
  const pin = pinNeeded() && el('input', { inputmode: 'numeric', autocomplete: 'off', required: true, maxlength: 20, class: 'pin' });
  openSheet(say('Keep score'), form(say('Enter'), async () => {
    await enter(pin ? pin.value : null, name.value.trim());
    remembered.set(NAME, name.value.trim());
    sessionChanged();
    closeSheet();
    then();
  }, pin && field(say('PIN'), pin), pin && el('p', { class: 'hint' }, say("The table's screen shows it.")),
  field(say('Your name, for the list of changes'), name)));
  (pin || name).focus();
}

/** End the session. */
export const stopScoring = () => leave().finally(sessionChanged).then(closeSheet);

/** Find out whether this browser may score; `show` draws the page anew when that changes. */
export function scorerReady(show) {
  redraw = show;
  known = findSession().then(sessionChanged, () => {});
}
