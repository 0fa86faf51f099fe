// Requests that change something: the session that the PIN opens, and commands.

import { text } from './dom.js';

let token = null;

async function request(path, method, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...(token && { 'X-CSRF-Token': token }) },
      body: body && JSON.stringify(body),
    });
  } catch {
    throw new Error(text('no_answer'));
  }
  const answer = await response.json().catch(() => ({ error: text('no_answer') }));
  if (!response.ok) {
    if (response.status === 403) token = null;
    throw new Error(answer.error);
  }
  return answer;
}

/** Whether this browser may send commands. */
export const mayScore = () => token !== null;

/** Ask the table whether this browser's session still holds. */
export async function findSession() {
  token = (await request('/api/session', 'GET')).token;
}

/** Open a session. Throws an error with words for a wrong PIN. */
export async function enter(pin) {
  token = (await request('/api/session', 'POST', { pin })).token;
}

/** Close the session. */
export async function leave() {
  await request('/api/session', 'DELETE');
  token = null;
}

/** Send one command. Throws an error with the table's words when it is not carried out. */
export const command = (what, values = {}) => request('/api/command', 'POST', { do: what, ...values });
