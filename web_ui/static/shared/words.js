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

/** A number in the language's notation, with this many decimals. */
export const decimal = (value, digits) => value.toLocaleString(language, { minimumFractionDigits: digits, maximumFractionDigits: digits });

/** A figure, or a dash if it is not known; with a star if it is the sum of what was recorded and something was not. */
export const known = (value, whole = true) => (value === null ? '–' : `${value}${whole ? '' : '*'}`);

/** The meaning of that star. */
export const starred = () => say('* Twenties were not counted in every match.');

/** A share of one in percent. */
export const percent = (share) => share.toLocaleString(language, { style: 'percent' });

/** A speed given in mm/s, in metres a second. */
export const metresASecond = (speed) => say('{v} m/s', { v: decimal(speed / 1000, 2) });

/** A signed length in tenths of a millimetre. */
export const millimetres = (value) => decimal(Math.abs(value) < 0.05 ? 0 : value, 1).replace('-', '−');
