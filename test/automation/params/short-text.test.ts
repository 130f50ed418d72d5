import { expect, test } from '@jest/globals';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
const call = calling(server);

test.each([
  ['UserGroup.Suggestion', undefined, 'searchTerm'],
  ['Workflow.GetOpenTasks', '/', 'username'],
  ['Blob.BulkDownload', ['/default-domain'], 'filename'],
])('§4.7 %s of %j takes a %s of 1,000 characters, and no longer one', async (operation, input, name) => {
  const taken = await call(operation, input, { [name]: 'a'.repeat(1_000) });
  expect(taken.text ?? '').not.toContain('characters');
  const { body } = await call(operation, input, { [name]: 'a'.repeat(1_001) }).expect(400);
  expect(body.message).toBe(`${name} has more than 1000 characters`);
});

test('§4.7 other texts have at most 100,000 characters, except those that people write', async () => {
  const folder = { name: 'long', description: 'd'.repeat(100_001) };
  await call('Collection.Create', undefined, folder).expect(200);
  const named = await call('Collection.Create', undefined, { name: 'a'.repeat(100_001) }).expect(400);
  expect(named.body.message).toBe('name has more than 100000 characters');
});

test.each([
  ['Tag.Suggestion', undefined, 'value'],
  ['Audit.Query', undefined, 'eventId'],
])('§4.7 %s of %j takes 1,000 items of %s, and no more', async (operation, input, name) => {
  const taken = await call(operation, input, { [name]: Array(1_000).fill('a') });
  expect(taken.text).not.toContain('at most');
  const { body } = await call(operation, input, { [name]: Array(1_001).fill('a') }).expect(400);
  expect(body.message).toBe(`${name}: 1001 items exceed the limit of 1000`);
});

test('§4.7 a task has at most 1,000 actors', async () => {
  const task = {
    'task name': 'Check',
    'additional list of actors prefixed ids': Array(1_001).fill('user:ann'),
  };
  const { body } = await call('Task.Create', '/default-domain', task).expect(400);
  expect(body.message).toMatch(
    /^additional list of actors prefixed ids: 1001 items exceed the limit of 1000/,
  );
});
