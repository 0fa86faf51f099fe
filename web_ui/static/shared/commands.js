// Requests to the table: sessions, commands and data.

import { settings } from './dom.js';
import { language, say } from './words.js';

/** A word of this page's own, by which the table knows a request that is sent again. */
export const ownWord = () => crypto.getRandomValues(new BigUint64Array(1))[0].toString(16).padStart(16, '0');

let token = null;
let needsPin = true;

export const NO_ANSWER = say('The table did not answer. Check the score before you try again.');

async function request(path, method, body, read = (response) => response.json()) {
  let response;
  let answer;
  try {
    response = await fetch(`${path}${path.includes('?') ? '&' : '?'}language=${language}`, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { 'X-CSRF-Token': token }) },
      body: body && JSON.stringify(body),
    });
    answer = await (response.ok ? read(response) : response.json());
  } catch {
    throw new Error(NO_ANSWER);
  }
  if (!response.ok) {
    if (response.status === 403) token = null;
    throw Object.assign(new Error(answer.error), { ...answer, status: response.status });
  }
  return answer;
}

/** The address for commands of a page that needs no session, since its own address is secret. */
export const own = settings.commands;

/** Whether this browser may send commands. */
export const mayScore = () => Boolean(own) || token !== null;

/** Whether a session needs the PIN: not at the table's own screen. */
export const pinNeeded = () => needsPin;

/** Ask the table whether this browser's session is still valid. */
export async function findSession() {
  ({ token, pin: needsPin } = await request('/api/session', 'GET'));
}

/** Open a session, with the PIN if needed. Throws an error with a message for a wrong one. */
export async function enter(pin, who) {
  token = (await request('/api/session', 'POST', { pin, who })).token;
}

/** Find this browser's session; at the table's own screen, which needs no PIN, open one. */
export async function enterHere() {
  await findSession();
  if (!mayScore() && !needsPin) await enter(null, '');
}

/** Close the session. */
export async function leave() {
  await request('/api/session', 'DELETE');
  token = null;
}

/** The id of the state that answered the newest command. */
export let answered = 0;

/** Send one command. Throws an error with the table's message if it is refused. */
export async function command(what, values = {}) {
  const answer = await request(own ?? '/api/command', 'POST', { do: what, ...values });
  answered = answer.id;
  return answer;
}

/** Fetch data. Throws an error with a message. */
export const getJson = (path) => request(path, 'GET');

/** Fetch a file as a `Blob`. Throws an error with a message. */
export const getFile = (path) => request(path, 'GET', undefined, (response) => response.blob());

/** Post data. Throws an error with a message if it is refused. */
export const postJson = (path, what) => request(path, 'POST', what);
