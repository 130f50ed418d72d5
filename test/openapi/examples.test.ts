/** @group every-database */

import { readFileSync, writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Answer, answersFile, readAnswers } from '../../src/openapi/examples/answers.ts';
import { examples } from '../../src/openapi/examples/index.ts';
import { withoutExample } from '../../src/openapi/examples/operations.ts';
import { madeFirst } from '../../src/openapi/examples/places.ts';
import { checker, type Description, operationsOf } from '../support/described.ts';
import { runJobs } from '../support/jobs.ts';
import { useServer } from '../support/server.ts';
import { madeBeside } from './made-beside.ts';
import { cut, StandIns } from './stand-ins.ts';
import { type Sent, Walk } from './walk.ts';

const file = new URL('../../openapi.json', import.meta.url);
const description: Description = JSON.parse(readFileSync(file, 'utf8'));
const check = checker(description);

test('every call has an example, but 12 that succeed alone on no new server', () => {
  const all = operationsOf(description).map(({ operation }) => operation.operationId);
  const reasons = Object.entries(withoutExample);
  expect([...Object.keys(examples), ...reasons.map(([route]) => route)].sort()).toEqual(all.sort());
  expect(reasons).toHaveLength(12);
});

const server = useServer();
const walk = new Walk(server, description);
const standIns = new StandIns();
const [values, answers]: [Record<string, string>, Record<string, Answer>] = [{}, {}];

/** `npm run print:answers` writes what this run was answered, a line for each. */
const isPrinting = process.env.PRINT_ANSWERS === 'yes';
const shown = isPrinting ? { values, answers } : readAnswers();

const lines = (entries: object): string =>
  Object.entries(entries)
    .map(([name, each]) => `${JSON.stringify(name)}:${JSON.stringify(each)}`)
    .join(',\n');

beforeAll(async () => {
  for (const step of madeFirst) await walk.take(step);
  await runJobs(server);
  Object.assign(walk.values, await madeBeside(server));
});
afterAll(() => {
  if (isPrinting)
    writeFileSync(answersFile, `{"values":{\n${lines(values)}\n},"answers":{\n${lines(answers)}\n}}\n`);
});

/** An answer as openapi.json shows it: JSON and texts, but no other bytes. */
function shownAnswer({ status, body, type }: Sent, route: string): Answer {
  for (const [name, value] of Object.entries(walk.values)) values[name] = standIns.name(name, value);
  if (!(body instanceof Buffer)) return { status, type, body: cut(standIns.in(body, route)) };
  if (body.length === 0) return { status };
  return type.startsWith('text/')
    ? { status, type, body: cut(standIns.in(body.toString(), route)) }
    : { status, type };
}

// Their order is that of the table: later ones need what earlier ones made.
test.each(Object.entries(examples))('%s', async (route, { before = [], ...example }) => {
  const { path, method } = walk.operationOf(route);
  for (const step of before) await walk.take(step);
  const { body } = walk.filled(example);
  if (body !== undefined) expect(check.body(method, path, body)).toBeUndefined();
  const answer = shownAnswer(await walk.take({ route, ...example }), route);
  answers[route] = answer;
  // What is shown is an answer of that kind, as openapi.json describes it, not the same to the letter.
  const { status, type, body: told } = shown.answers[route] ?? {};
  expect([status, type]).toEqual([answer.status, answer.type]);
  if (type === 'application/json')
    expect(check.answer(method, path, { status: answer.status, type, body: told })).toBeUndefined();
});

test('no answer is shown for what there is no example of, and each value has a stand-in', () => {
  expect(Object.keys(shown.answers).sort()).toEqual(Object.keys(examples).sort());
  expect(Object.keys(shown.values).sort()).toEqual(Object.keys(values).sort());
});
