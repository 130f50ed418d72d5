import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, kill, type RunningServer, serve, stockedSettings } from '../../db/processes.ts';

/** Starting a process on a database takes a while on a busy machine. */
const patience = 90_000;

let server: RunningServer;
let drop: () => Promise<void>;
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'quire-parts-'));
  const stocked = await stockedSettings(dataDir);
  drop = stocked.drop;
  // Warnings are told to a process as a whole: one of its own has none but ours.
  server = await serve({ ...stocked.settings, DATA_DIR: dataDir });
}, patience);
afterAll(async () => {
  await kill(server);
  await drop();
  await rm(dataDir, { recursive: true, force: true });
}, patience);

async function createFile(content: string): Promise<string> {
  const properties = { 'file:content': { content, name: 'a.txt' } };
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'file', properties });
  const response = await ask(server.url, '/api/v1/path/', { method: 'POST', body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { uid: string }).uid;
}

/** All blobs of some documents, as one body. */
const blobsOf = (input: readonly string[], init: RequestInit = {}): Promise<Response> =>
  ask(server.url, '/api/v1/automation/Blob.Get', {
    ...{ method: 'POST', body: JSON.stringify({ input, params: {} }) },
    ...init,
  });

describe('§4.7 a list of blobs', () => {
  const contents = Array.from({ length: 30 }, (_, index) => `${index} `.repeat(20_000));
  let ids: string[];
  beforeAll(async () => {
    ids = [];
    for (const content of contents) ids.push(await createFile(content));
  }, patience);

  test.each([{}, { 'Accept-Encoding': 'gzip' }])(
    'is sent whole, however long it is, and warns of nothing (%j)',
    async (headers) => {
      const response = await blobsOf(ids, { headers });
      const [, boundary] = /boundary="([^"]+)"/.exec(response.headers.get('content-type') ?? '') ?? [];
      const parts = (await response.text()).split(`--${boundary}`);
      expect(parts).toHaveLength(contents.length + 2);
      const bodies = parts.slice(1, -1).map((part) => part.split('\r\n\r\n')[1]);
      // Not by `toEqual`, which would print megabytes.
      expect(bodies.filter((body, index) => body !== `${contents[index]}\r\n`)).toHaveLength(0);
      expect(server.printed.err).not.toContain('Warning');
    },
    patience,
  );

  test(
    'of which the client wants no more does no harm',
    async () => {
      const leaving = new AbortController();
      const response = await blobsOf(ids, { signal: leaving.signal });
      await response.body?.getReader().read();
      leaving.abort();
      expect((await blobsOf(ids.slice(0, 2))).status).toBe(200);
      expect(server.printed.err).toBe('');
      expect(server.printed.out).not.toContain('unexpected error');
    },
    patience,
  );
});
