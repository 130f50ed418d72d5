/** @group slow */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ask, kill, type RunningServer, serve, useProcessSettings } from '../../db/processes.ts';

const settings = useProcessSettings({ isStocked: true });
let server: RunningServer;
beforeAll(async () => {
  // Node prints warnings per process: a separate process prints none of other tests.
  server = await serve(settings);
});
afterAll(() => kill(server));

async function createFile(content: string): Promise<string> {
  const properties = { 'file:content': { content, name: 'a.txt' } };
  const body = JSON.stringify({ 'entity-type': 'document', type: 'File', name: 'file', properties });
  const response = await ask(server.url, '/api/v1/path/', { method: 'POST', body });
  expect(response.status).toBe(201);
  return ((await response.json()) as { uid: string }).uid;
}

/** Fetches the blobs of documents as one multipart body. */
const blobsOf = (input: readonly string[], init: RequestInit = {}): Promise<Response> =>
  ask(server.url, '/api/v1/automation/Blob.Get', {
    method: 'POST',
    body: JSON.stringify({ input, params: {} }),
    ...init,
  });

describe('§4.7 a list of blobs', () => {
  const contents = Array.from({ length: 30 }, (_, index) => `${index} `.repeat(20_000));
  let ids: string[];
  beforeAll(async () => {
    ids = [];
    for (const content of contents) ids.push(await createFile(content));
  });

  test.each([{}, { 'Accept-Encoding': 'gzip' }])(
    'is sent completely and without warnings in the log (%j)',
    async (headers) => {
      const response = await blobsOf(ids, { headers });
      const [, boundary] = /boundary="([^"]+)"/.exec(response.headers.get('content-type') ?? '') ?? [];
      const parts = (await response.text()).split(`--${boundary}`);
      expect(parts).toHaveLength(contents.length + 2);
      const bodies = parts.slice(1, -1).map((part) => part.split('\r\n\r\n')[1]);
      // `toEqual` would print megabytes on a failure.
      expect(bodies.filter((body, index) => body !== `${contents[index]}\r\n`)).toHaveLength(0);
      expect(server.printed.err).not.toContain('Warning');
    },
  );

  test('can be aborted by the client without errors in the log', async () => {
    const leaving = new AbortController();
    const response = await blobsOf(ids, { signal: leaving.signal });
    await response.body?.getReader().read();
    leaving.abort();
    expect((await blobsOf(ids.slice(0, 2))).status).toBe(200);
    expect(server.printed.err).toBe('');
    expect(server.printed.out).not.toContain('unexpected error');
  });
});
