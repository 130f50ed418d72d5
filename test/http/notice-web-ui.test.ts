import { expect, test } from '@jest/globals';
import { startServer } from '../support/server.ts';

const headers = { 'fetch-document': 'properties', 'translate-directoryEntry': 'label' };
const warnings = (logged: readonly object[]) =>
  logged.filter((line) => JSON.stringify(line).includes('Set COMPATIBILITY=reference'));

test.each([
  ['contract', 1],
  ['reference', 0],
])('§10.1 with COMPATIBILITY=%s the log has %d warnings of requests of Nuxeo Web UI', async (form, count) => {
  await using server = await startServer({ COMPATIBILITY: form });
  await server.request.get('/api/v1/path/').set('fetch-document', 'properties').expect(200);
  expect(warnings(server.logged)).toEqual([]);
  for (let asked = 0; asked < 3; asked += 1)
    await server.request.get('/api/v1/path/').set(headers).expect(200);
  expect(warnings(server.logged)).toHaveLength(count);
});
