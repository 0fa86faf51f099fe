// Setting the table up: the state of each part with its figures, and its actions.

import { scale } from '../score/asked.js';
import { enterHere, getJson, mayScore } from '../shared/commands.js';
import { byId, el, firstState, folded, page, put, svg, withId } from '../shared/dom.js';
import { attempt, button, field, offers, openForm, select, textField } from '../shared/forms.js';
import { openPin, send } from '../shared/scorer.js';
import { number, say } from '../shared/words.js';
import { programs } from './programs.js';

const STATES = {
  good: say('✓ good'),
  bad: say('✗ not good enough'),
  missing: say('! missing'),
  optional: say('– not needed'),
};

const LAMPS = [['turn', say('Turn')], ['twenty', say('Twenty')], ['foul', say('Foul')], ['check', say('Check')], ['', say('Chosen by the match')]];
const LONGEST_ADDRESS = 200;
const LONGEST_CODE = 40;
const PEGS = 8;
const LIMIT = 62.5; // per cent of a gauge
const FOLLOW = 500; // ms between updates of the sensor's lesson
const LIVE = 2000; // ms between pictures, each of which costs a reading

const isWrong = ({ state }) => ['bad', 'missing'].includes(state);

const place = byId('setup');
const sides = firstState().match?.sides ?? [{ id: 'A', name: 'A' }, { id: 'B', name: 'B' }];
let steps = [];
let at = null; // the id of the step that is shown
let taps = null; // the places tapped so far; null unless somebody is tapping
let signal = ''; // that the lamps were asked to show

const carryOut = (what, values) => send(what, values).then(load);

offers.pause = () => button(say('Pause refereeing'), () => carryOut('pause'));

const tapHint = () => (taps.length === 0 ? say('Tap the middle of the hole.')
  : say('Tap peg {number} of {of}, counter-clockwise; the first is the one just beyond the direction of the right-hand seat.', { number: taps.length, of: PEGS }));

function tapped(event, camera, picture) {
  if (!taps) return;
  const { offsetX: x, offsetY: y } = event;
  taps.push([(x * picture.naturalWidth) / picture.width, (y * picture.naturalHeight) / picture.height]);
  camera.append(Object.assign(el('i.tap'), { style: `left: ${x}px; top: ${y}px` }));
  if (taps.length <= PEGS) { camera.querySelector('p').textContent = tapHint(); return; }
  const [hole, ...pegs] = taps;
  taps = null;
  attempt(() => carryOut('landmarks', { points: { hole, pegs } }));
}

/** The camera's picture, which follows the camera unless somebody taps on it. */
function camera() {
  const address = () => `/api/setup/picture?${Date.now()}`;
  const picture = el('img', { src: address(), alt: say("The camera's picture with the found board drawn on it"), onclick: (event) => tapped(event, node, picture),
    onload: () => setTimeout(() => { if (node.isConnected && !taps) picture.src = address(); }, LIVE) });
  const node = el('div.camera', picture, el('p.hint', { role: 'status' }));
  return node;
}

function beginTaps() {
  taps = [];
  const node = place.querySelector('.camera');
  node.classList.add('tapping');
  node.querySelector('p').textContent = tapHint();
  node.scrollIntoView();
}

const openName = (step) => openForm(step.title, say('Save'), (name) => carryOut('name_table', name),
  textField('name', step.title, { value: step.text, required: true, maxlength: page.dataset.longestName }));

const openJoin = (step) => openForm(step.title, say('Join'), (club) => carryOut('join_club', club),
  textField('address', say("Address of the club's pages"), { required: true, maxlength: LONGEST_ADDRESS, inputmode: 'url', autocapitalize: 'off', autocomplete: 'off' }),
  textField('code', say('Join code'), { required: true, maxlength: LONGEST_CODE, autocapitalize: 'characters', autocomplete: 'off' }));

/** Learn a colour; if no disc is seen, the refusal is shown, and in the step too. */
const learn = (side) => send('learn_colour', { side: side.id }).finally(load);

const look = () => button(say('Look again'), load);

/** The actions of each step, the one that mends it first. */
const ACTIONS = {
  camera: look,
  board: () => [button(say('Find the board'), () => carryOut('find_board')), button(say('Tap its landmarks'), beginTaps)],
  colours: () => sides.map((side) => button(say('This disc is of {name}', side), () => learn(side))),
  proof: look,
  hole_sensor: ({ state }) => (state === 'optional' || state === 'missing' ? look() : lesson()),
  buttons: look,
  lamps: ({ state }) => state !== 'optional' && [button(say('Compare pictures'), () => carryOut('compare_lamps')), lampTest()],
  name: (step) => button(say('Another name'), () => openName(step)),
  club: (step) => !step.fixed && [button(say('Join a club'), () => openJoin(step)), step.joined && button(say('Leave the club'), () => carryOut('leave_club'))],
  pin: () => button(say('Another PIN'), () => carryOut('new_pin')),
  programs,
};
const SEEN = ['camera', 'board', 'colours', 'proof']; // the steps that are about what the camera sees

/** The sensor's lesson, which the page follows by itself: the person's hands are at the hole. */
const lesson = () => button(say('Learn the sensor with a disc'), () => send('learn_sensor').then(follow));

async function follow() {
  const { steps: now } = await getJson('/api/setup?devices=1');
  steps = steps.map((one) => withId(now, one.id) ?? one);
  if (at === 'hole_sensor') show();
  if (now.some(({ waits }) => waits)) setTimeout(() => attempt(follow), FOLLOW);
}

function lampTest() {
  const show = ({ target: { value } }) => attempt(() => {
    signal = value;
    return carryOut('lamp', { signal: value || null, side: value === 'turn' ? 'A' : null });
  });
  return field(say('Show on the lamps'), select(LAMPS, signal, { onchange: show }));
}

/** A figure with its verdict; its gauge, if it has a limit, shows that always at the same place. */
function figure({ name, value, unit, good, wanted, limit }) {
  const verdict = good ? 'good' : 'bad';
  const sign = unit === 'deg' ? '°' : ` ${unit}`;
  const at = `${Math.min(100, (LIMIT * Math.abs(value)) / limit)}%`;
  return el(`p.figure.${verdict}`, el('span', name), el('b', number(value), sign), el('strong', STATES[verdict]),
    limit > 0 && scale(`${LIMIT}%`, at, 0, at), el('small', wanted, limit > 0 && sign));
}

/** One figure of a step, a bad one if there is any; the others on demand. */
function figures(step) {
  const one = step.state !== 'optional' && (step.figures.find(({ good }) => !good) ?? step.figures[0]);
  const others = step.figures.filter((other) => other !== one);
  return [one ? figure(one) : el(`p.figure.${step.state}`, el('strong', STATES[step.state])),
    others.length > 0 && folded(say('More'), others.map(figure))];
}

function card(k) {
  const [step, next] = steps.slice(k);
  const can = [ACTIONS[step.id]?.(step)].flat().filter(Boolean);
  if (isWrong(step)) can[0]?.classList.add('main');
  return el('section.step', el('p.hint', say('Step {number} of {of}', { number: k + 1, of: steps.length })), el('h2', step.title), el('p.hint', step.text),
    svg('svg.drawing', { 'aria-hidden': 'true' }, svg('use', { href: `#d-${step.id}` })),
    step.pictured ? el('img.disc', { src: `/api/setup/picture?of=disc&${Date.now()}`, alt: say('A disc that was laid on the board, as the camera saw it') }) : SEEN.includes(step.id) && camera(),
    figures(step),
    el('div.actions', can, next && el('button', { id: 'go-on', class: !isWrong(step) && 'main', onclick: () => go(next) }, say('Next: {step}', { step: next.title }))));
}

function show() {
  const k = Math.max(0, steps.findIndex(({ id }) => id === at));
  taps = null;
  put(place, el('nav', steps.map((step, i) => el('button', { class: step.state, 'aria-current': i === k && 'step', onclick: () => go(step) }, el('span', step.title)))),
    card(k));
}

function go({ id }) {
  at = id;
  show();
}

async function load() {
  if (!mayScore()) {
    put(place, el('p', say("Setting up needs the table's PIN.")), button(say('PIN'), () => openPin(() => attempt(load))));
    return;
  }
  if (!steps.length) put(place, el('p', say('One moment …')));
  const before = taps;
  const answer = await getJson('/api/setup');
  if (taps !== before) return; // somebody has begun to tap
  steps = [...answer.steps, { id: 'programs', title: say('Programs'), state: 'optional', figures: [],
    text: say('A program, such as a stream overlay, sends commands with a token. A new PIN does not end it.') }];
  at ??= steps.find(isWrong)?.id ?? steps[0].id;
  show();
  if (steps.some((step) => step.waits)) attempt(follow);
}

await enterHere().catch(() => {});
attempt(load);
