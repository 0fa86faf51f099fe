// The screen's colours: the browser's own, or as its settings and the time of day want them.

import { page } from './dom.js';

const MINUTE = 60000; // milliseconds

/** 'light', 'dark', or null for the browser's own choice, at an hour of the day. */
function themeAt(hour, theme, darkFrom, darkUntil) {
  if (theme !== 'evening') return theme === 'browser' ? null : theme;
  const dark = darkFrom > darkUntil ? hour >= darkFrom || hour < darkUntil : hour >= darkFrom && hour < darkUntil;
  return dark ? 'dark' : 'light';
}

/** Keep the page in its colours from now on. */
export function keepTheme({ theme, darkFrom, darkUntil }) {
  const wanted = new URLSearchParams(location.search).get('theme') ?? theme;
  const apply = () => {
    const now = themeAt(new Date().getHours(), wanted, Number(darkFrom), Number(darkUntil));
    if (now) page.dataset.theme = now; else delete page.dataset.theme;
  };
  apply();
  setInterval(apply, MINUTE);
}
