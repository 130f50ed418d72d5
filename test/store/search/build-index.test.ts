/** @group every-database, slow */
import { beforeAll, describe, expect, test } from '@jest/globals';
import { buildIndex } from '../../../src/store/search/build-index.ts';
import { compareIndex } from '../../../src/store/search/compare-index.ts';
import { createWordAnalysis } from '../../../src/words/atoms.ts';
import { createDocument, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { contradictions } from '../consistency.ts';

const server = useServer({}, { indexes: [{ property: 'dc:source' }] });
const folder = '/default-domain/workspaces';
const never = new AbortController().signal;

const send = <Row>(text: string) => server.database.query<Row>({ name: '', text }, []);
const ofIndex = `FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = 'search_document'::regclass`;
const indexes = () => send(`SELECT c.relname AS name, pg_get_indexdef(c.oid) AS sql ${ofIndex} ORDER BY 1`);
const columns = () =>
  send(`SELECT attname, attstattarget, attstorage, attgenerated, attnotnull, atttypid::regtype::text AS type, reloptions
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
    WHERE attrelid = 'search_document'::regclass AND attnum > 0 ORDER BY attnum`);
const table = async () =>
  (await send<{ oid: number }>(`SELECT 'search_document'::regclass::oid AS oid`))[0]?.oid;

const found = async (title: string): Promise<number> => {
  const query = `SELECT * FROM File WHERE dc:title = '${title}'`;
  const { body } = await server.request.get('/api/v1/search/execute').query({ query }).expect(200);
  return body.resultsCount;
};

const english = createWordAnalysis({ name: 'english', stemOf: (word) => word.replace(/s$/, '') });

const atOnce = { connections: 3, documentsOfSlice: 7 };

/** Builds, and stops after some slices of all. */
async function stopped(documents = 0, connections = atOnce.connections): Promise<void> {
  const stop = new AbortController();
  const onProgress = (laid: number) => laid > documents && stop.abort();
  const built = await buildIndex(server.database, {
    ...atOnce,
    connections,
    onProgress,
    signal: stop.signal,
  });
  expect(built.isDone).toBe(false);
}

/** Once the connection of a build that was stopped is gone. */
async function built(): Promise<number> {
  for (;;) {
    try {
      return (await buildIndex(server.database, { ...atOnce, onProgress: () => {}, signal: never }))
        .documents;
    } catch (error) {
      if (!/another process/i.test(String(error))) throw error;
    }
  }
}

const differences = async () =>
  (await compareIndex(server.database, { isCheck: true, onProgress: () => {}, signal: never })).differing;

beforeAll(async () => {
  await server.indexed;
  const titles = Array.from({ length: 60 }, (_, nth) => `one of many ${nth}`);
  for (const title of titles)
    await createDocument(server, { parent: folder, properties: { 'dc:title': title } });
});

describe('§4.7 an index that is built while searches read the old one', () => {
  test('is another table with the same columns, settings and indexes, and finds the same', async () => {
    await createDocument(server, {
      parent: folder,
      properties: { 'dc:title': 'laid', 'dc:source': 'a mine' },
    });
    expect(await found('laid')).toBe(1);
    await send('DELETE FROM search_document');
    const before = [await table(), await indexes(), await columns()];
    expect(await built()).toBe((await send('SELECT FROM document')).length);
    const after = [await table(), await indexes(), await columns()];
    expect(after.slice(1)).toEqual(before.slice(1));
    expect(after[0]).not.toEqual(before[0]);
    expect(await found('laid')).toBe(1);
    expect(await contradictions(server)).toEqual([]);
  });

  test('contains what is created, changed and deleted during the build', async () => {
    const [changed, deleted] = [
      await createDocument(server, { parent: folder, properties: { 'dc:title': 'to change' } }),
      await createDocument(server, { parent: folder, properties: { 'dc:title': 'to delete' } }),
    ];
    await stopped();
    await createDocument(server, { parent: folder, properties: { 'dc:title': 'created meanwhile' } });
    await updateDocument(server.request, changed.uid, { 'dc:title': 'changed' });
    await server.request.delete(`/api/v1/id/${deleted.uid}`).expect(204);
    expect([await found('created meanwhile'), await found('to delete')]).toEqual([1, 0]);
    const [before] = [await table(), await built()];
    expect(await table()).not.toBe(before);
    for (const title of ['created meanwhile', 'changed', 'laid']) expect(await found(title)).toBe(1);
    for (const title of ['to change', 'to delete']) expect(await found(title)).toBe(0);
    expect(await differences()).toBe(0);
    expect(await send('SELECT FROM search_rebuild UNION ALL SELECT FROM search_rebuild_change')).toEqual([]);
  });

  test('contains what several clients write while several connections build it', async () => {
    let isBuilt = false;
    let nth = 0;
    const client = async (name: string): Promise<string[]> => {
      const titles: string[] = [];
      while (!isBuilt || titles.length < 5) {
        const title = `${name} ${nth++}`;
        const { uid } = await createDocument(server, {
          parent: folder,
          properties: { 'dc:title': 'before' },
        });
        const gone = await createDocument(server, { parent: folder, properties: { 'dc:title': 'gone' } });
        await updateDocument(server.request, uid, { 'dc:title': title });
        await server.request.delete(`/api/v1/id/${gone.uid}`).expect(204);
        titles.push(title);
      }
      return titles;
    };
    const clients = Promise.all(['ann', 'ben', 'eve'].map(client));
    for (const documents of [20, 40]) await stopped(documents); // its connections work on different slices
    await built();
    isBuilt = true;
    const titles = (await clients).flat();
    for (const title of titles) expect(await found(title)).toBe(1);
    expect([await found('before'), await found('gone'), await differences()]).toEqual([0, 0, 0]);
  });

  test('continues where it was stopped, unless the language has changed', async () => {
    const documents = (await send('SELECT FROM document')).length;
    await stopped(30, 1); // with several connections, the first slice could be the last to end
    expect(await built()).toBeLessThan(documents);
    expect([(await send('SELECT FROM search_document')).length, await differences()]).toEqual([documents, 0]);
    await stopped();
    const { documents: all } = await buildIndex(server.database, {
      onProgress: () => {},
      signal: never,
      analysis: english,
    });
    expect(all).toBe(documents);
    expect(await built()).toBe(documents);
    expect(await differences()).toBe(0);
  });

  test('cannot be built while another process builds one', async () => {
    let isRefused: unknown;
    const onProgress = () => {
      isRefused ??= buildIndex(server.database, { onProgress: () => {}, signal: never }).catch(String);
    };
    await buildIndex(server.database, { onProgress, signal: never });
    expect(await isRefused).toMatch(/Another process is building the search index/);
  });
});
