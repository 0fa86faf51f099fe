// Requests that change something: the session that the PIN opens, and commands.

import { language, say } from './words.js';

let token = null;
let needsPin = true;

const noAnswer = () => new Error(say('The table did not answer. Check the score before you try again.'));

async function request(path, method, body) {
  let response;
  let answer;
  try {
    response = await fetch(`${path}${path.includes('?') ? '&' : '?'}language=${language}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { 'X-CSRF-Token': token }) },
      body: body && JSON.stringify(body),
    });
    answer = await response.json();
  } catch {
    throw noAnswer();
  }
  if (!response.ok) {
    if (response.status === 403) token = null;
    throw Object.assign(new Error(answer.error), { status: response.status, changes: answer.changes, player: answer.player, plan: answer.plan });
  }
  return answer;
}

/** Where a page that has commands of its own sends them: whoever has its address may. */
export const own = document.querySelector('main')?.dataset.commands;

/** Whether this browser may send commands. */
export const mayScore = () => Boolean(own) || token !== null;

/** Whether a session needs the PIN: not at the table's own screen. */
export const pinNeeded = () => needsPin;

/** Ask the table whether this browser's session still holds. */
export async function findSession() {
  ({ token, pin: needsPin } = await request('/api/session', 'GET'));
}

/** Open a session for somebody, with the PIN where it is needed. Throws an error with words for a wrong one. */
export async function enter(pin, who) {
  token = (await request('/api/session', 'POST', { pin, who })).token;
}

/** Close the session. */
export async function leave() {
  await request('/api/session', 'DELETE');
  token = null;
}

/** Send one command. Throws an error with the table's words when it is not carried out. */
export const command = (what, values = {}) => request(own ?? '/api/command', 'POST', { do: what, ...values });

/** What the table knows under an address for data. Throws an error with words. */
export const ask = (path) => request(path, 'GET');

/** Give a page's wish to an address. Throws an error with words when it is not carried out. */
export const give = (path, what) => request(path, 'POST', what);
