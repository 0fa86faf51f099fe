// Scoring by hand, with a pad for each side. Twenties are sent at once, for everybody to see. The discs on the board are
// counted at the round's end, and both sides agree to the totals. This is the page of a match that nothing referees.

import { byId, el, page, refresh, remembered } from './dom.js';
import { discIcon } from './board.js';
import { mayScore } from './commands.js';
import { attempt, errorPlace, openSheet } from './forms.js';
import { send } from './scorer.js';
import { say } from './words.js';

const KEY = 'counted';
const RINGS = [15, 10, 5];
const SWIPE = 60; // pixels to the left: takes the last touch back

let state = null;
let counted = []; // [side, points] as they were touched, of one round

const roundKey = ({ id, round }) => `${id}.${round.number}`;
const points = (side) => counted.filter(([id]) => id === side.id).reduce((sum, [, value]) => sum + value, 0);
const discsCounted = (side) => counted.filter(([id]) => id === side.id).length;
const total = (side) => 20 * side.twenties + points(side);

/** Go on with what was counted before the page was loaded anew, if it belongs to this round. */
function recall(match) {
  const [key, list] = JSON.parse(remembered.get(KEY) ?? '[null, []]');
  counted = key === roundKey(match) ? list : [];
}

function keep(list) {
  counted = list;
  remembered.set(KEY, JSON.stringify([roundKey(state.match), counted]));
  showPads(state);
}

function takeBack(side) {
  const last = counted.findLastIndex(([id]) => id === side.id);
  if (last >= 0) keep(counted.toSpliced(last, 1));
  else if (side.twenties > 0) return send(twenties(side, side.twenties - 1));
  return null;
}

const twenties = (side, value) => ['correct_twenties', { round: state.match.round.number, side: side.id, value }];

function agree() {
  const { match } = state;
  const figures = (of) => Object.fromEntries(match.sides.map((side) => [side.id, of(side)]));
  const error = errorPlace();
  const entered = ['enter_round', { totals: figures(total), twenties: figures((side) => side.twenties) }];
  openSheet(match.sides.length > 1 ? say('Do both sides agree?') : say('Is that right?'),
    match.sides.map((side) => el('p', { class: 'line agreed' }, discIcon(side.id), el('span', {}, side.name), el('b', {}, total(side)))),
    el('button', { type: 'button', class: 'main', onclick: () => attempt(error, () => send(entered)) }, match.sides.length > 1 ? say('Agreed: the round is over') : say('The round is over')), error);
}

function pad(side, error) {
  const full = discsCounted(side) + side.twenties >= side.discs;
  const button = (label, kind, words, action) => el('button', { type: 'button', class: kind, disabled: full && kind !== 'back', 'aria-label': words, onclick: () => attempt(error, action) }, label);
  const more = (value) => button(`+${value}`, 'ring', say('{points} more for {name}', { points: value, name: side.name }), () => keep([...counted, [side.id, value]]));
  const node = el('div', { class: `pad side-${side.id}` },
    el('p', { class: 'sum', 'aria-live': 'polite' }, el('span', { class: 'for-ears' }, `${side.name}: `), total(side)),
    button(`20 × ${side.twenties}`, 'twenty', say('One twenty more for {name}', { name: side.name }), () => send(twenties(side, side.twenties + 1))),
    state.match.format.kind !== 'twenties' && el('div', { class: 'rings' }, RINGS.map(more)),
    button('⌫', 'back', say('Take back the last of {name}', { name: side.name }), () => takeBack(side)));
  let from = null;
  node.addEventListener('touchstart', ({ touches }) => { from = touches[0].clientX; }, { passive: true });
  node.addEventListener('touchend', ({ changedTouches }) => {
    if (from !== null && from - changedTouches[0].clientX > SWIPE) attempt(error, () => takeBack(side));
    from = null;
  });
  return node;
}

/** Show the pads to the scorer of a match that nothing referees. */
export function showPads(newest) {
  state = newest;
  const { match, status } = state;
  const byHand = Boolean(match && !match.over && mayScore() && (match.manual || status.word === 'no_camera'));
  page.dataset.pads = byHand ? 'yes' : 'no';
  if (byHand) recall(match);
  refresh(byId('pads'), byHand && [match.sides, match.round.number, counted], () => {
    if (!byHand) return [];
    const error = errorPlace();
    return [el('div', { class: 'pads' }, match.sides.map((side) => pad(side, error))), error,
      el('button', { type: 'button', class: 'main over', onclick: agree }, say('The round is over'))];
  });
}
