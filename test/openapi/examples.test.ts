import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { examples } from '../../src/openapi/examples.ts';
import { checker, type Description, operationsOf } from '../support/described.ts';
import { useServer } from '../support/server.ts';

const file = new URL('../../openapi.json', import.meta.url);
const description: Description = JSON.parse(readFileSync(file, 'utf8'));
const all = operationsOf(description);
const byName = new Map(all.map((each) => [each.operation.operationId, each]));

/** Ids that a server gives: no new server has them. */
const isGiven = /\{(id|execution|batch|task|workflow|comment|entity|client|matrix|operation)\}/;

test('every route has an example that needs no id of an earlier answer, and is no operation', () => {
  const needed = all
    .filter(({ path }) => !isGiven.test(path) && !/^\/automation\/[A-Z]/.test(path))
    .map(({ operation }) => operation.operationId);
  expect(Object.keys(examples).sort()).toEqual(needed.sort());
});

const server = useServer({}, undefined, true);

// Their order is that of the table: later ones need what earlier ones made.
test.each(Object.entries(examples))('%s', async (name, { parameters = {}, body, file: text }) => {
  const { path, method } = byName.get(name) ?? { path: '', method: 'get' };
  const inPath = new Set(path.match(/\w+(?=\})/g));
  const address = path.replaceAll(/\{(\w+)\}/g, (_, key: string) => String(parameters[key]));
  const query = Object.entries(parameters).filter(([key]) => !inPath.has(key));
  const verb = method as 'get' | 'post' | 'put' | 'delete';
  const sent = server.request[verb](`/api/v1${address}`).query(Object.fromEntries(query));
  if (body !== undefined) expect(checker(description).body(method, path, body)).toBeUndefined();
  const answer = await (text === undefined
    ? sent.send(body as object | undefined)
    : sent.attach('file', Buffer.from(text), { filename: 'report.txt', contentType: 'text/plain' }));
  expect([answer.status, answer.body?.message]).toEqual([expect.any(Number), undefined]);
  expect(answer.status).toBeLessThan(300);
});
