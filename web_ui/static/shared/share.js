// The result of a match as a picture and as a link. A page that came over https can hand the picture to other programs and
// copy the link; without https the browser lets it only save the picture.

import { getJson } from './commands.js';
import { el } from './dom.js';
import { button, download, openSheet } from './forms.js';
import { namesOf } from './sides.js';
import { dayOf, joined, known, say, scoresOf, wonBy } from './words.js';

const WIDTH = 1080; // pixels: messengers show it without shrinking it
const EDGE = 70;
const ROW = 64;
const MOST_ROUNDS = 12; // of longer matches, the last ones
const PAPER = '#f7efe0';
const INK = '#2a1f18';
const MUTED = '#6b5d51';
const GOLD = '#9a7410';

const font = (size, weight = 600) => `${weight} ${size}px system-ui, "DejaVu Sans", sans-serif`;

/** Write a text, shrunk and finally truncated to fit. */
function write(pen, text, x, y, width, { size, weight = 600, align = 'left', ink = INK }) {
  let fits = size;
  let shown = String(text);
  pen.font = font(fits, weight);
  while (pen.measureText(shown).width > width && fits > size * 0.6) pen.font = font(fits -= 2, weight);
  while (pen.measureText(shown).width > width && shown.length > 2) shown = `${shown.slice(0, -2).trimEnd()}…`;
  Object.assign(pen, { fillStyle: ink, textAlign: align, textBaseline: 'alphabetic' });
  pen.fillText(shown, x, y);
}

function rule(pen, y) {
  pen.fillStyle = '#d8c8b0';
  pen.fillRect(EDGE, y, WIDTH - 2 * EDGE, 2);
}

/** A side with its disc, its name and its score; the winner's in gold. */
function writeSide(pen, match, side, y) {
  const won = match.winner === side.id;
  pen.beginPath();
  pen.arc(EDGE + 34, y - 22, 34, 0, 2 * Math.PI);
  Object.assign(pen, { fillStyle: match.swatches[side.id], strokeStyle: won ? GOLD : MUTED, lineWidth: won ? 8 : 3 });
  pen.fill();
  pen.stroke();
  const names = namesOf(side);
  const size = names.length > 1 ? 40 : 54;
  names.forEach((name, i) => write(pen, name, EDGE + 100, y - 48 * (names.length - 1) / 2 + 48 * i, WIDTH - 2 * EDGE - 300, { size, weight: won ? 750 : 500 }));
  write(pen, side.score, WIDTH - EDGE, y + 8, 180, { size: 88, weight: 750, align: 'right', ink: won ? GOLD : INK });
}

function writeRounds(pen, match, rounds, top) {
  const column = (WIDTH - 2 * EDGE - 120) / match.sides.length;
  const right = (i) => EDGE + 120 + column * (i + 1);
  match.sides.forEach((side, i) => write(pen, side.name, right(i), top, column - 20, { size: 28, align: 'right', ink: MUTED }));
  rounds.forEach((round, line) => {
    const y = top + ROW * (line + 1);
    write(pen, round.number, EDGE, y, 100, { size: 34, ink: MUTED });
    const points = Object.values(round.totals).includes(null) ? round.awarded : round.totals;
    const best = Math.max(...Object.values(points));
    match.sides.forEach((side, i) => {
      const twenties = round.twenties[side.id] ? ` (${round.twenties[side.id]}×20)` : '';
      const won = points[side.id] === best && Object.values(points).filter((one) => one === best).length === 1;
      write(pen, `${known(round.totals[side.id])}${twenties}`, right(i), y, column - 20, { size: 34, weight: won ? 750 : 450, align: 'right' });
    });
  });
}

/** The result of a match, in one line. */
const outcome = (match) => wonBy(match) ?? (match.over ? say('The match ends in a tie.') : say('The match is going on.'));

/** The picture of a match's result: a canvas. */
export function picture(match) {
  const rounds = match.rounds.slice(-MOST_ROUNDS);
  const names = 250;
  const table = names + 120 * match.sides.length + 90;
  const canvas = el('canvas.result', { width: WIDTH, height: table + ROW * (rounds.length + 1) + 120, role: 'img',
    'aria-label': `${scoresOf(match)}. ${outcome(match)}` });
  const pen = canvas.getContext('2d');
  pen.fillStyle = PAPER;
  pen.fillRect(0, 0, canvas.width, canvas.height);
  write(pen, say('Crokinole'), EDGE, 110, 500, { size: 56, weight: 750 });
  write(pen, dayOf(match.started, 'long'), WIDTH - EDGE, 106, 440, { size: 34, align: 'right', ink: MUTED });
  rule(pen, 145);
  match.sides.forEach((side, i) => writeSide(pen, match, side, names + 120 * i));
  write(pen, outcome(match), EDGE, names + 120 * match.sides.length - 10, WIDTH - 2 * EDGE, { size: 36, ink: MUTED });
  rule(pen, table - 55);
  if (rounds.length) writeRounds(pen, match, rounds, table);
  write(pen, joined([match.rules_name, match.format_text]), EDGE, canvas.height - 50, WIDTH - 2 * EDGE, { size: 28, weight: 450, ink: MUTED });
  return canvas;
}

/** The sheet that shares a match: its picture, its address. */
export async function openShare(number) {
  const match = await getJson(`/api/v1/matches/${number}`);
  const canvas = picture(match);
  const blob = await new Promise((drawn) => { canvas.toBlob(drawn, 'image/png'); });
  const name = `match-${number}.png`;
  const file = new File([blob], name, { type: 'image/png' });
  const url = new URL(`/sheet/${number}`, location.href).href;
  const done = el('p', { role: 'status' });
  const input = el('input', { type: 'text', readonly: true, value: url, 'aria-label': say('Address of the score sheet') });
  const handOver = () => navigator.share({ files: [file], text: outcome(match) }).catch((reason) => { if (reason.name !== 'AbortError') throw reason; });
  openSheet(say('Share'), canvas,
    navigator.canShare?.({ files: [file] }) && button(say('Share the picture'), handOver, 'main'),
    button(say('Save the picture'), () => download(blob, name), navigator.canShare ? '' : 'main'),
    input, navigator.clipboard && button(say('Copy the address'), async () => {
      await navigator.clipboard.writeText(url);
      done.textContent = say('Copied.');
    }), done,
    el('p.hint', say('The address works for those in the same network as the table.')));
}
