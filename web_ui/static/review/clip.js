// A stored clip, fetched with its player on demand.

import { el } from '../shared/dom.js';
import { say } from '../shared/words.js';

/** A button that fetches a clip and shows it in its own place. */
export function clipOf(name) {
  const words = el('p', { class: 'hint', role: 'status' });
  const button = el('button.watch', say('Watch the clip'));
  const node = el('div.clip-place', button, words);
  button.addEventListener('click', async () => {
    button.disabled = true;
    words.textContent = '';
    try {
      const { load, player } = await import('./clip_player.js');
      const shown = player(await load(name));
      node.replaceChildren(shown.node);
      shown.begin();
      shown.node.querySelector('button').focus();
    } catch (error) {
      words.textContent = error.message;
      button.disabled = false;
    }
  });
  return node;
}
