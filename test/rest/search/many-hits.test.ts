import { beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { buildIndex } from '../../../src/store/search/build-index.ts';
import { compareIndex } from '../../../src/store/search/compare-index.ts';
import { grant, only, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const limit = 3;

/** All hits are collected up to 9, and one in excess of them is counted. */
const server = useServer(
  { SEARCH_COUNT_LIMIT: String(limit) },
  {
    chains: [
      {
        name: 'trashAndCount',
        params: [{ name: 'query' }],
        operations: [
          { id: 'Document.Trash' },
          { id: 'Repository.Query', params: { query: 'expr:ChainParameters.query', pageSize: 1 } },
        ],
      },
    ],
  },
);
const ann = useUser(server, 'ann');

const titled = (title: string, more = '') =>
  `SELECT * FROM File WHERE dc:title = '${title}' AND ecm:isTrashed = 0${more}`;

const search = (requests: typeof ann, query: string) =>
  requests.get('/api/v1/search/execute').query({ query, pageSize: 2 });

async function counted(requests: typeof ann, query: string): Promise<number> {
  const { body } = await search(requests, query).expect(200);
  expect(body.entries).toHaveLength(
    Math.min(2, Math.max(0, body.resultsCount === -2 ? 2 : body.resultsCount)),
  );
  return body.resultsCount;
}

const answerFor = (hits: number): number => (hits > limit ? -2 : hits);

async function lay(count: number, title: string, parent?: string): Promise<DocumentEntity[]> {
  const files: DocumentEntity[] = [];
  for (let nth = 0; nth < count; nth += 1)
    files.push(
      await createDocument(server, { ...(parent && { parent }), properties: { 'dc:title': title } }),
    );
  return files;
}

const remove = ({ uid }: DocumentEntity) => server.request.delete(`/api/v1/id/${uid}`).expect(204);

const send = (text: string) => server.database.query({ name: '', text }, []);

describe('§2.2, §4.7 a search that has found more than is counted', () => {
  beforeAll(async () => {
    await setAcl(server, '/', [grant('ann', 'Read'), grant('Administrator', 'Everything')]);
  });

  test('says so while there are more, and how many there are as soon as they are fewer', async () => {
    const files = await lay(13, 'fewer');
    for (let hits = 13; hits >= 2; hits -= 1) {
      for (const requests of [server.request, ann])
        expect([hits, await counted(requests, titled('fewer'))]).toEqual([hits, answerFor(hits)]);
      await remove(files[hits - 1] as DocumentEntity);
    }
  });

  test('neither counts nor estimates again before as many documents have changed as it found in excess', async () => {
    await lay(12, 'kept');
    const first = await search(server.request, titled('kept')).expect(200);
    const second = await search(server.request, titled('kept')).expect(200);
    expect(statements(second)).toBe(statements(first) - 1);
    expect(second.body).toEqual(first.body);
    expect(first.body.resultsCountEstimate).toBeGreaterThan(3 * limit); // the statistics know nothing of the new files
    await send("UPDATE search_document SET terms = '{}' WHERE title = 'kept'"); // of which the server knows nothing
    const hidden = await search(server.request, titled('kept')).expect(200);
    expect(hidden.body).toMatchObject({ resultsCount: -2, entries: [] });
    await createDocument(server, {});
    expect((await search(server.request, titled('kept')).expect(200)).body.resultsCount).toBe(-2);
    await lay(1, 'another');
    expect((await search(server.request, titled('kept')).expect(200)).body.resultsCount).toBe(0);
  });

  test('counts anew once the index is mended, or built anew', async () => {
    const count = async () => (await search(server.request, titled('mended')).expect(200)).body.resultsCount;
    await lay(12, 'mended');
    expect(await count()).toBe(-2);
    await send("UPDATE search_document SET terms = '{}' WHERE title = 'mended'");
    expect(await count()).toBe(-2);
    const { signal } = new AbortController();
    await compareIndex(server.database, { isCheck: false, onProgress: () => undefined, signal });
    await send("UPDATE search_document SET terms = '{}' WHERE title = 'mended'");
    expect(await count()).toBe(0);
    await buildIndex(server.database, { onProgress: () => undefined, signal });
    expect(await count()).toBe(-2);
    await send("UPDATE search_document SET terms = '{}' WHERE title = 'mended'");
    expect(await count()).toBe(-2);
    await buildIndex(server.database, { onProgress: () => undefined, signal });
    await send("UPDATE search_document SET terms = '{}' WHERE title = 'mended'");
    expect(await count()).toBe(0);
  });

  test('counts what its own transaction leaves', async () => {
    const files = await lay(12, 'own');
    expect(await counted(server.request, titled('own'))).toBe(-2);
    const input = `docs:${files.slice(0, 10).map(({ uid }) => uid)}`;
    const { body } = await call(server.request, 'trashAndCount', {
      input,
      params: { query: titled('own') },
    }).expect(200);
    expect(body.resultsCount).toBe(2);
  });

  test('counts what a change of permissions leaves', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await lay(12, 'read', folder.path);
    expect(await counted(ann, titled('read'))).toBe(-2);
    await setAcl(server, folder.path, only('Administrator', 'Everything'));
    expect(await counted(ann, titled('read'))).toBe(0);
    expect(await counted(server.request, titled('read'))).toBe(-2);
  });

  test('counts what a moment leaves', async () => {
    const expired = new Date(Date.now() + 4_000).toISOString();
    for (let nth = 0; nth < 12; nth += 1)
      await createDocument(server, { properties: { 'dc:title': 'moment', 'dc:expired': expired } });
    const query = titled('moment', ' AND dc:expired > NOW()');
    expect(await counted(server.request, query)).toBe(-2);
    await until(() => Date.now() > Date.parse(expired));
    expect(await counted(server.request, query)).toBe(0);
  });

  test('agrees with the documents after any changes', async () => {
    const title = 'any';
    const files = await lay(10, title);
    const step = fc.oneof(
      fc.record({ kind: fc.constantFrom('lay', 'remove'), count: fc.integer({ min: 1, max: 4 }) }),
      fc.constant({ kind: 'look', count: 0 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
        for (const { kind, count } of steps) {
          if (kind === 'lay' && files.length < 16) files.push(...(await lay(count, title)));
          if (kind === 'remove') for (const file of files.splice(-count)) await remove(file);
          const found = [await counted(server.request, titled(title)), await counted(ann, titled(title))];
          expect(found).toEqual([answerFor(files.length), answerFor(files.length)]);
        }
      }),
      { numRuns: 6 },
    );
  });
});
