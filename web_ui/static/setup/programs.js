// The programs that may send commands: each has a token of its own until somebody revokes it.

import { getJson, postJson } from '../shared/commands.js';
import { el, page, put } from '../shared/dom.js';
import { attempt, button, form, textField } from '../shared/forms.js';
import { say } from '../shared/words.js';

/** The list of programs, which makes their tokens and revokes them. */
export function programs() {
  const list = el('div');
  const change = async (what) => show(await postJson('/api/programs', what));
  const element = form(say('Make a token'), (name) => change(name).then(() => element.reset()),
    textField('name', say("Program's name"), { required: true, maxlength: page.dataset.longestName, autocomplete: 'off' }));
  function show({ programs: all, token }) {
    put(list, el('div',
      token && el('p', say('Copy this token now, it is not shown again:'), ' ', el('code', token)),
      all.map((one) => el('p', one.name, ' ', button(say('Revoke'), () => change({ revoke: one.id }))))));
  }
  attempt(async () => show(await getJson('/api/programs')));
  return [list, element];
}
