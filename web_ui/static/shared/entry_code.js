// A QR code that lets one phone keep score without the PIN.

import { getJson } from './commands.js';

const LOOK = 5000; // ms between checks whether the code was used or has expired

/** Show a current code in this image while it is on the page; `then` learns whether the table's screen should show one. */
export function keepEntryCode(image, then = null) {
  const look = async () => {
    const { link, wanted } = await getJson('/let-in');
    if (image.dataset.link !== link) image.src = `/let-in.svg?${encodeURIComponent(link)}`;
    image.dataset.link = link;
    then?.(wanted);
  };
  const again = () => (image.isConnected ? look().catch(() => {}) : clearInterval(timer)); // a lost connection is shown by the banner
  const timer = setInterval(again, LOOK);
  again();
}
