// A stored clip, fetched with its player on demand.

import { el, put } from '../shared/dom.js';
import { button } from '../shared/forms.js';
import { say } from '../shared/words.js';

/** A button that fetches a clip and shows it in its own place. */
export function clipOf(name) {
  const node = el('div.clip-place', button(say('Watch the clip'), async () => {
    const { load, player } = await import('./clip_player.js');
    const shown = player(await load(name));
    put(node, shown.node);
    shown.begin();
    shown.node.querySelector('button').focus();
  }, 'watch'));
  return node;
}
