// The screen's theme: the browser's own, or light or dark by its settings and the time of day.

import { options, page } from './dom.js';

const MINUTE = 60000; // milliseconds

/** The theme at an hour of the day: 'light', 'dark', or null for the browser's choice. */
function themeAt(hour, theme, darkFrom, darkUntil) {
  if (theme !== 'evening') return theme === 'browser' ? null : theme;
  const dark = darkFrom > darkUntil ? hour >= darkFrom || hour < darkUntil : hour >= darkFrom && hour < darkUntil;
  return dark ? 'dark' : 'light';
}

/** Set the page's theme now, and keep it up to date.
 *
 *  @param {DOMStringMap} settings */
export function keepTheme({ theme, darkFrom, darkUntil }) {
  const wanted = options.get('theme') ?? theme;
  const apply = () => {
    const now = themeAt(new Date().getHours(), wanted, Number(darkFrom), Number(darkUntil));
    if (now) page.dataset.theme = now; else delete page.dataset.theme;
  };
  apply();
  setInterval(apply, MINUTE);
}
