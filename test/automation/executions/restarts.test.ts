/** @group every-database, fallback */

import { expect, test } from '@jest/globals';
import { ask, kill, type RunningServer, serve, useProcessSettings } from '../../db/processes.ts';
import { authorization } from '../../support/administrator.ts';

const settings = useProcessSettings({ isStocked: true });

/** Begins an import of many files into a new folder; the path of its status. */
async function begin({ url }: RunningServer, name: string): Promise<string> {
  const folder = JSON.stringify({ 'entity-type': 'document', type: 'Folder', name });
  expect((await ask(url, '/api/v1/path/', { method: 'POST', body: folder })).status).toBe(201);
  const form = new FormData();
  form.append('params', JSON.stringify({ context: { currentDocument: `/${name}` } }));
  for (let index = 0; index < 300; index += 1) form.append('input', new Blob(['x']), `${index}.pdf`);
  const headers = { Authorization: authorization };
  const address = `${url}/api/v1/automation/FileManager.Import/@async`;
  const response = await fetch(address, { method: 'POST', body: form, headers });
  expect(response.status).toBe(202);
  return new URL(response.headers.get('location') ?? '').pathname;
}

const countIn = async ({ url }: RunningServer, name: string): Promise<number> => {
  const response = await ask(url, `/api/v1/path/${name}/@children`);
  return ((await response.json()) as { resultsCount: number }).resultsCount;
};

test('§4.7 a server ends its executions on SIGTERM, and the next start has their results', async () => {
  const first = await serve(settings);
  const status = await begin(first, 'stopped');
  first.child.kill('SIGTERM');
  expect(await first.ended).toEqual({ code: 0, signal: null });
  await using second = await serve(settings);
  expect((await ask(second.url, status, { redirect: 'manual' })).status).toBe(303);
  const answer = await ask(second.url, status.replace(/\/status$/, ''));
  // On a busy machine the import may exceed the time that the server waits, and is cut off.
  expect([answer.status, await countIn(second, 'stopped')]).toEqual(
    answer.status === 200 ? [200, 300] : [503, 0],
  );
}, 120_000);

test('§4.7 an execution of a killed process changes nothing', async () => {
  const first = await serve(settings);
  const status = await begin(first, 'killed');
  await kill(first);
  await using second = await serve(settings);
  const running = await ask(second.url, status, { redirect: 'manual' });
  expect([running.status, await running.text()]).toEqual([200, 'RUNNING']); // for half a minute
  expect(await countIn(second, 'killed')).toBe(0);
  const aborted = await ask(second.url, status.replace(/\/status$/, ''), { method: 'DELETE' });
  expect(aborted.status).toBe(204);
}, 120_000);
