// Setting the table up: the state of each part with its figures, and its actions.

import { getJson, findSession, mayScore } from '../shared/commands.js';
import { byId, el, embedded, page } from '../shared/dom.js';
import { attempt, field, form, openSheet, select } from '../shared/forms.js';
import { openPin, send } from '../shared/scorer.js';
import { language, say } from '../shared/words.js';
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
const FOLLOW = 500; // ms between updates of the sensor's lesson

const place = byId('setup');
const sides = embedded('state').match?.sides ?? [{ id: 'A', name: 'A' }, { id: 'B', name: 'B' }];
let taps = null; // the places tapped so far; null unless somebody is tapping

const carryOut = (what, values) => attempt(async () => { await send([what, values]); await load(); });
const button = (label, action) => el('button', { onclick: action }, label);

const tapHint = () => (taps.length === 0 ? say('Tap the middle of the hole.')
  : say('Tap peg {number} of {of}, counter-clockwise; the first is the one just beyond the direction of the right-hand seat.', { number: taps.length, of: PEGS }));

function tapped(event, camera, picture) {
  if (!taps) return;
  const box = picture.getBoundingClientRect();
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  taps.push([(x * picture.naturalWidth) / box.width, (y * picture.naturalHeight) / box.height]);
  camera.append(Object.assign(el('i.tap'), { style: `left: ${x}px; top: ${y}px` }));
  if (taps.length <= PEGS) { camera.querySelector('p').textContent = tapHint(); return; }
  const [hole, ...pegs] = taps;
  taps = null;
  carryOut('landmarks', { points: { hole, pegs } });
}

function camera() {
  const picture = el('img', { src: `/api/setup/picture?${Date.now()}`, alt: say("The camera's picture with the found board drawn on it") });
  const node = el('div.camera', picture, el('p', { class: 'hint', role: 'status' }));
  picture.addEventListener('click', (event) => tapped(event, node, picture));
  return node;
}

function beginTaps() {
  taps = [];
  const node = place.querySelector('.camera');
  node.classList.add('tapping');
  node.querySelector('p').textContent = tapHint();
  node.scrollIntoView();
}

function openName(step) {
  const name = el('input', { value: step.text, required: true, maxlength: page.dataset.longestName });
  openSheet(step.title, form(say('Save'), async () => { await send(['name_table', { name: name.value.trim() }]); await load(); }, field(step.title, name)));
}

function openJoin(step) {
  const address = el('input', { required: true, maxlength: LONGEST_ADDRESS, inputmode: 'url', autocapitalize: 'off', autocomplete: 'off' });
  const code = el('input', { required: true, maxlength: LONGEST_CODE, autocapitalize: 'characters', autocomplete: 'off' });
  openSheet(step.title, form(say('Join'), async () => { await send(['join_club', { address: address.value.trim(), code: code.value.trim() }]); await load(); },
    field(say("Address of the club's pages"), address), field(say('Join code'), code)));
}

function clubActions(step) {
  if (step.fixed) return [];
  return [button(say('Join a club'), () => openJoin(step)),
    step.joined && button(say('Leave the club'), () => carryOut('leave_club'))].filter(Boolean);
}

/** Learn a colour; if no disc is seen, the refusal is shown, and in the step too. */
const learn = (side) => attempt(async () => { try { await send(['learn_colour', { side: side.id }]); } finally { await load(); } });

/** A step's actions. */
function actions(step) {
  switch (step.id) {
    case 'camera': return [button(say('Look again'), () => attempt(load))];
    case 'board': return [button(say('Find the board'), () => carryOut('find_board')), button(say('Tap its landmarks'), beginTaps)];
    case 'colours': return sides.map((side) => button(say('This disc is of {name}', { name: side.name }), () => learn(side)));
    case 'hole_sensor': return step.state === 'optional' || step.state === 'missing' ? [button(say('Look again'), () => attempt(load))] : [lesson()];
    case 'proof':
    case 'buttons': return [button(say('Look again'), () => attempt(load))];
    case 'lamps': return step.state === 'optional' ? [] : [lampTest(), button(say('Compare pictures'), () => carryOut('compare_lamps'))];
    case 'name': return [button(say('Another name'), () => openName(step))];
    case 'club': return clubActions(step);
    case 'pin': return [button(say('Another PIN'), () => carryOut('new_pin'))];
    default: return [];
  }
}

/** The sensor's lesson, which the page follows by itself: the person's hands are at the hole. */
const lesson = () => button(say('Learn the sensor with a disc'), () => attempt(async () => { await send(['learn_sensor', {}]); await follow(); }));

async function follow() {
  const { steps } = await getJson('/api/setup?devices=1');
  const step = steps.find((one) => one.id === 'hole_sensor');
  place.querySelector('.step.sensor')?.replaceWith(card(step));
  if (step.waits) setTimeout(() => attempt(follow), FOLLOW);
}

function lampTest() {
  const list = select(LAMPS);
  list.addEventListener('change', () => carryOut('lamp', { signal: list.value || null, side: list.value === 'turn' ? 'A' : null }));
  return field(say('Show on the lamps'), list);
}

const figure = (one) => el('tr', el('th', { scope: 'row' }, one.name),
  el('td', `${one.value.toLocaleString(language)} ${one.unit}`), el('td', one.wanted),
  el('td', { class: one.good ? 'good' : 'bad' }, one.good ? say('✓ good') : say('✗ not good enough')));

const card = (step) => el('section', { class: `step ${step.state}${step.id === 'hole_sensor' ? ' sensor' : ''}` },
  el('h2', step.title, el('small', STATES[step.state])),
  el('p', step.text),
  step.figures.length > 0 && el('div', { class: 'wide', tabindex: 0 }, el('table', el('tbody', step.figures.map(figure)))),
  step.pictured && el('img', { class: 'disc', src: `/api/setup/picture?of=disc&${Date.now()}`, alt: say('A disc that was laid on the board, as the camera saw it') }),
  el('div.actions', actions(step)));

async function load() {
  if (!mayScore()) {
    place.replaceChildren(el('p', say("Setting up needs the table's PIN.")), button(say('Enter'), () => openPin(() => attempt(load))));
    return;
  }
  if (!place.querySelector('.step')) place.replaceChildren(el('p', say('One moment …')));
  const before = taps;
  const { steps } = await getJson('/api/setup');
  if (taps !== before) return; // somebody has begun to tap
  taps = null;
  place.replaceChildren(camera(), ...steps.map(card), programs());
  if (steps.some((step) => step.waits)) attempt(follow);
}
findSession().catch(() => {}).then(() => attempt(load));
