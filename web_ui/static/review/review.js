// Any shot of a match: its board, the verdict with its rule; the scorer corrects it here.

import { discIcon } from '../shared/board.js';
import { marginChart } from './chart.js';
import { clipOf } from './clip.js';
import { getJson, findSession, mayScore } from '../shared/commands.js';
import { openDisc, openRound } from '../score/correct.js';
import { byId, each, el, refill, withId } from '../shared/dom.js';
import { attempt, button, select, setShownState } from '../shared/forms.js';
import { gauge } from '../score/asked.js';
import { onSent, openPin, sends } from '../shared/scorer.js';
import { shotPlayer } from './shot_player.js';
import { colour } from '../shared/sides.js';
import { dayOf, joined, say, scoresOf } from '../shared/words.js';

const [, , number, shotId] = location.pathname.split('/');
const place = byId('review');
let match = null;
let at = null; // the shown shot's index
let missing = ''; // a number in the address that no shot has

/** The target of a correction: this shot of this match. */
const where = (shot) => ({ match: match.id, round: shot.round, shot: shot.number });

const touch = (shot) => (id, board) => openDisc(board, withId(shot.after, id), match, where(shot));

const gone = (one) => one.picture_gone && el('p.hint', say('Its picture is not kept any more.'));

function question(one, shot) {
  const name = one.picture && encodeURIComponent(one.picture);
  const picture = name && el('img', { src: `/picture/${name}`, alt: say('Picture of the discs in question'), loading: 'lazy' });
  const again = () => { picture.src = `/picture/again-${name}`; };
  return el('div', picture, gone(one),
    el('p', one.text, ' ', el('strong', one.answer ?? one.note ?? say('not answered'))),
    gauge(one),
    picture && button(say('Read it again'), again),
    one.clip && one.clip !== shot.clip && clipOf(one.clip));
}

function verdict(shot) {
  return el('section.verdict', { 'aria-live': 'polite' },
    el('p.line', discIcon(shot.side), `${shot.player}: `, el('strong', { class: !shot.valid && 'foul' }, shot.call)),
    each('p', shot.why),
    shot.kinds_text.length > 0 && el('p.hint', joined(shot.kinds_text)),
    each('p', shot.conduct),
    shot.rule && el('blockquote', el('p', el('strong', shot.rule.title), ': ', shot.rule.text), shot.rule.source && el('cite', shot.rule.source)),
    shot.picture && el('img', { src: `/picture/${encodeURIComponent(shot.picture)}`, alt: say('The board after the shot, with the lines and discs as measured'), loading: 'lazy' }),
    gone(shot),
    shot.clip && clipOf(shot.clip),
    shot.doubt && el('p.hint', shot.doubt),
    shot.corrected && el('p.hint', say('Corrected by hand.')),
    each('p.hint', shot.amended),
    shot.questions.map((one) => question(one, shot)));
}

function actions(shot) {
  return el('div.actions', mayScore() ? [
    shot.corrections.map(({ text, command }) => button(text, sends('correct_shot', { ...where(shot), ...command }))),
    !shot.annulled && button(say('Annul the shot'), sends('correct_shot', { ...where(shot), annulled: true })),
    button(say('Correct a round'), () => openRound(match, { match: match.id })),
    el('p.hint', say('Touch a disc on the board after the shot to correct it.')),
  ] : button(say('Keep score'), () => openPin(show)));
}

function choose(index) {
  at = index;
  missing = '';
  history.replaceState(null, '', `/review/${match.id}/${match.shots[at].id}`);
  show();
}

const label = (shot) => say('Round {round}, shot {number}: {player}', shot);

function bar() {
  const list = select(match.shots.map((shot, i) => [i, label(shot)]), at, { 'aria-label': say('Shot'), onchange: () => choose(Number(list.value)) });
  const step = (by, words, sign) => el('button', { 'aria-label': words, disabled: !match.shots[at + by], onclick: () => choose(at + by) }, sign);
  return el('div.steps-bar', step(-1, say('The shot before'), '◀'), list, step(1, say('The next shot'), '▶'));
}

function show() {
  byId('title').textContent = joined([scoresOf(match), dayOf(match.started, 'long'), match.deleted && say('deleted')]);
  const shot = match.shots[at];
  refill(place, shot ? [bar(),
    missing && el('p.error', { role: 'alert' }, say('There is no shot {number} in this match: this is its last one.', { number: missing })),
    shotPlayer(match, shot, mayScore() && touch(shot)),
    verdict(shot),
    actions(shot),
    marginChart(match, at, choose)] : el('p', say('No shot of this match was seen.')));
}

/** The shot that the address names, else the last. */
function firstShown() {
  const named = match.shots.findIndex((shot) => String(shot.id) === shotId);
  if (shotId && named < 0) missing = shotId;
  return named >= 0 ? named : match.shots.length - 1;
}

async function load() {
  match = await getJson(`/api/v1/matches/${number}`);
  for (let { next } = match; next !== null;) { // a long match comes in parts
    const part = await getJson(`/api/v1/matches/${number}?after=${next}`);
    match.shots.push(...part.shots);
    next = part.next;
  }
  colour(match.sides.map(({ id }) => ({ id, swatch: match.swatches[id] })));
  setShownState(Math.max(0, ...match.changes.map((one) => one.id), ...match.shots.map((one) => one.id)));
  at = Math.min(at ?? firstShown(), match.shots.length - 1);
  show();
}

document.addEventListener('keydown', ({ key, target }) => {
  if (!(target instanceof Element)) return;
  const by = { ArrowLeft: -1, ArrowRight: 1 }[key];
  if (by && match?.shots[at + by] && !target.closest('input, select, dialog')) choose(at + by);
});
onSent(load);
findSession().catch(() => {}).then(() => attempt(load));
