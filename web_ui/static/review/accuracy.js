// The table's error rates from people's corrections, answers and spot checks, and the limits of these figures.

import { getJson } from '../shared/commands.js';
import { byId, el, put } from '../shared/dom.js';
import { attempt } from '../shared/forms.js';
import { table } from './statistics.js';
import { monthOf, number, say } from '../shared/words.js';

const share = (value) => number(value, { style: 'percent', maximumFractionDigits: value < 0.1 ? 1 : 0 });
const counted = ({ count, of }) => (of ? say('{n} of {of}', { n: number(count), of: number(of) }) : '–');
const between = (one) => (one.of ? say('{least} to {most}', { least: share(one.least), most: share(one.most) }) : '–');

const KINDS = {
  verdict: say('Valid or foul'), twenty: say('Twenties'), ring: say('Rings'), missed: say('Missed shots'),
  extra: say('Shots that nobody made'), side: say('Who sits where'), totals: say('Totals of rounds'),
};
const TABLES = {
  'camera+hole': say('Camera and hole sensor'), camera: say('Camera alone'), hole: say('Hole sensor alone'),
  hand: say('Neither'), simulated: say('Simulated'),
};

function checked({ spot_checks: checks }) {
  if (!checks.of) return el('p', say('No round was spot-checked yet, so nobody can say how many errors went unnoticed.'));
  return el('p', say('{n} of {of} spot-checked rounds were wrong though nothing was asked. With 95 % confidence it is between {least} and {most} of all rounds.', {
    n: number(checks.count), of: number(checks.of), least: share(checks.least), most: share(checks.most) }));
}

const figures = (all) => table(say('All matches'), [say('Figure'), say('Counted'), say('95 % between')], [
  [say('Rounds found wrong by spot checks'), all.spot_checks],
  [say('Rounds with an error that somebody noticed though nothing was asked'), all.rounds_silent],
  [say('Rounds in which the table asked'), all.rounds_asked],
  [say('Answers that agreed with the table'), all.likelier_right],
].map(([words, one]) => [words, counted(one), between(one)]));

function errors(all) {
  const rows = Object.entries(KINDS).filter(([kind]) => all.silent[kind]).map(([kind, name]) => [name, number(all.silent[kind])]);
  return [el('h2', say('What was wrong')),
    rows.length ? table(say('What was wrong'), [say('Kind'), say('Corrected though nothing was asked')], rows) : el('p', say('Nobody has corrected anything that the table showed as sure.')),
    el('p', say('Further corrections, of something that the table had asked about: {n}.', { n: number(all.corrected_asked) }))];
}

const groups = (title, some, nameOf) => some.length > 1 && [el('h2', title),
  table(title, [title, say('Matches'), say('Shots'), say('Spot checks wrong'), say('Noticed errors'), say('Questions')],
    some.map((one) => [nameOf(one.name), number(one.matches), number(one.shots), counted(one.spot_checks), counted(one.rounds_silent), number(one.questions)]))];

function show({ all, months, kinds, versions }) {
  if (!all.matches) return el('p', say('The table has not followed a match yet.'));
  return [
    el('p', say('Shots: {shots}; matches that the table followed: {matches}.', { shots: number(all.shots), matches: number(all.matches) })),
    checked(all), figures(all), errors(all),
    groups(say('Month'), [...months].reverse(), (month) => monthOf(`${month}-15`)),
    groups(say('Kind of table'), kinds, (name) => TABLES[name] ?? name),
    groups(say('Version'), [...versions].reverse(), (name) => name),
    el('h2', say('What these figures mean')),
    el('p', say("A correction counts as the table's error when the table had not asked about it. Errors that nobody noticed leave no trace: the true share is higher than that of the noticed ones. Spot checks show those too, since their rounds are drawn by lot before they are played.")),
    el('p', say('People make mistakes too: a wrong correction counts here as an error of the table.')),
  ];
}

const place = byId('accuracy');
attempt(async () => put(place, show(await getJson('/api/v1/accuracy'))));
