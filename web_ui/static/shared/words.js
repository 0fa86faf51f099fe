// The page's texts. English is in the scripts, which the server sends with their texts in the page's language.

export const language = document.documentElement.lang;

/** The locale for dates and times: the reader's own country if the browser names it, else Britain. */
export const locale = navigator.languages.find((one) => one.split('-')[0] === language) ?? (language === 'en' ? 'en-GB' : language);

const plurals = new Intl.PluralRules(language);
const FORMS = ['one', 'few', 'many'];

const VOWEL = /^[aeiouyàâäéèêëîïôöùûüœæ]/i;

/** French: de and que lose their e before a vowel, as `web_ui.languages` has it. */
const elided = (template, values) => template.replace(/\b([Dd]|[Qq]u)e \{(\w+)\}/g,
  (all, word, name) => (VOWEL.test(values[name]) ? `${word}'{${name}}` : all));

const filled = (template, values) => (language === 'fr' ? elided(template, values) : template).replace(/\{(\w+)\}/g, (_, name) => values[name]);

/** A text, its {braces} filled in. */
export const say = (text, values = {}) => filled(text, values);

/** A text about `n` things; where a language has more forms than two, `many` is a list. */
export function sayMany(one, many, n, values = {}) {
  const forms = [one, many].flat();
  return filled(forms[FORMS.indexOf(plurals.select(n))] ?? forms.at(-1), { n, ...values });
}

/** The words that no condition left out, with `sign` between them. */
export const joined = (words, sign = ' · ') => words.filter(Boolean).join(sign);

const DAY = 'yyyy-mm-dd'.length;

/** A date of a day (yyyy-mm-dd), of a time as ISO 8601 has it, or of milliseconds since 1970. */
const dateOf = (when, style) => new Date(when.length === DAY ? `${when}T12:00` : when).toLocaleDateString(locale, style);

export const dayOf = (when, dateStyle = 'medium') => dateOf(when, { dateStyle });

export const monthOf = (when) => dateOf(when, { month: 'short', year: 'numeric' });

/** The time of day; `at` in seconds since 1970. */
export const timeOf = (at) => new Date(at * 1000).toLocaleTimeString(locale, { hour: '2-digit', minute: '2-digit' });

/** A number in the language's notation. */
export const number = (value, how) => value.toLocaleString(language, how);

/** The same with this many decimals. */
export const decimal = (value, digits) => number(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A figure, or a dash if it is not known; with a star if it is the sum of what was recorded and something was not. */
export const known = (value, whole = true) => (value === null ? '–' : `${value}${whole ? '' : '*'}`);

/** Between partners of a pair. */
export const AND = ' & ';

/** The sides of a match with their scores. */
export const scoresOf = ({ sides }, sign = ' – ') => sides.map((side) => `${side.name} ${side.score}`).join(sign);

/** Who won a match, if somebody did. */
export function wonBy({ sides, winner }) {
  const side = sides.find(({ id }) => id === winner);
  return side && sayMany('{name} wins the match.', '{name} win the match.', side.players.length, side);
}

/** The meaning of that star. */
export const starred = () => say('* Twenties were not counted in every match.');

/** A share of one in percent. */
export const percent = (share) => number(share, { style: 'percent' });

/** A speed given in mm/s, in metres a second. */
export const metresASecond = (speed) => say('{v} m/s', { v: decimal(speed / 1000, 2) });

/** A signed length in tenths of a millimetre. */
export const millimetres = (value) => decimal(Math.abs(value) < 0.05 ? 0 : value, 1).replace('-', '−');
