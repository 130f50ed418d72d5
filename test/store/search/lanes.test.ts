/** @group slow */
import { describe, expect, jest, test } from '@jest/globals';
import { changesOfBatch, indexNextChanges } from '../../../src/store/search/search-changes.ts';
import { createSearchIndex } from '../../../src/store/search/search-index.ts';
import { plainAnalysis } from '../../../src/words/atoms.ts';
import { runBulkBelow } from '../../support/bulk.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { withIndexHeld, withSlowLaneBusy } from '../../support/held-index.ts';
import { runJobs } from '../../support/jobs.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

jest.setTimeout(60_000);

const server = useServer();

const send = <Row>(text: string) => server.database.query<Row>({ name: '', text }, []);

const search = (title: string) =>
  server.request
    .get('/api/v1/search/execute')
    .query({ query: `SELECT * FROM Document WHERE dc:title = '${title}'` })
    .expect(200);

const hits = async (title: string): Promise<number> => (await search(title)).body.resultsCount;

const titled = (title: string, parent?: DocumentEntity): Promise<DocumentEntity> =>
  createDocument(server, { properties: { 'dc:title': title }, ...(parent && { parent: parent.path }) });

const settled = () =>
  until(async () => (await send('SELECT FROM search_change LIMIT 1')).length === 0, 30_000);

const isIndexed = async ({ uid }: DocumentEntity): Promise<boolean> =>
  (await send(`SELECT FROM search_document WHERE id = '${uid}'`)).length > 0;

const changesOf = async ({ uid }: DocumentEntity): Promise<boolean[]> =>
  (
    await send<{ isSlow: boolean }>(
      `SELECT is_slow AS "isSlow" FROM search_change WHERE document_id = '${uid}' ORDER BY id`,
    )
  ).map(({ isSlow }) => isSlow);

/** Gives documents texts that are too large for the fast lane. */
const enlarge = (...documents: DocumentEntity[]) =>
  send(`UPDATE document SET properties = properties || jsonb_build_object('dc:source', repeat('large ', 20000))
    WHERE id = ANY('{${documents.map(({ uid }) => uid).join()}}')`);

/** Lets the index set a document aside: its date is longer than an entry of the index can be. */
const spoil = ({ uid }: DocumentEntity) =>
  send(`UPDATE document SET properties = properties || jsonb_build_object('dc:created',
    (SELECT string_agg(md5(n::text), '') FROM generate_series(1, 1000) n)) WHERE id = '${uid}'`);

const areSetAside = async (count: number): Promise<void> => {
  await settled();
  expect(await send(`SELECT FROM job WHERE kind = 'index-document'`)).toHaveLength(count);
};

/** The index of a second process. */
const anotherIndex = (errors: unknown[]) =>
  createSearchIndex(server.database, {
    textTypes: '^text/plain$',
    filledKinds: '[]',
    analysis: plainAnalysis,
    onError: (error) => errors.push(error),
    onSetAside: ({ id }) => errors.push(id),
  });

describe('While the slow lane is busy', () => {
  test('small documents are indexed and found', async () => {
    const large = await titled('a large one');
    await settled();
    await withSlowLaneBusy(server, async () => {
      await enlarge(large);
      await until(async () => (await changesOf(large)).includes(true));
      for (let nth = 0; nth < 3; nth += 1) {
        await titled(`a small one ${nth}`);
        expect(await hits(`a small one ${nth}`)).toBe(1);
      }
      expect(await changesOf(large)).toEqual([true]);
    });
    await settled();
    const [row] = await send<{ found: number }>(
      `SELECT count(*)::int AS found FROM search_document WHERE id = '${large.uid}' AND words @@ 'large'`,
    );
    expect(row?.found).toBe(1);
  });

  test('searches do not wait for it because of documents that are written while they run', async () => {
    const large = await titled('large beside many');
    await settled();
    await withSlowLaneBusy(server, async () => {
      await enlarge(large);
      await until(async () => (await changesOf(large)).includes(true));
      let isOver = false;
      const write = async () => {
        while (!isOver) await titled('one of many');
      };
      const writing = Promise.all([write(), write()]);
      const delays: unknown[] = [];
      for (let nth = 0; nth < 40; nth += 1)
        delays.push((await search('one of many')).headers['x-search-delay']);
      isOver = true;
      await writing;
      expect(delays.filter(Boolean)).toEqual([]);
    });
    await settled();
  });

  test('its small documents come before large ones, unless one of them was locked', async () => {
    const large = await Promise.all([1, 2, 3].map((nth) => titled(`an older large one ${nth}`)));
    await settled();
    await withIndexHeld(server, async () => {
      await enlarge(...large);
      await send('UPDATE search_change SET is_slow = true, is_large = true');
      const small = await titled('a small one of a failed batch');
      await send('UPDATE search_change SET is_slow = true');
      const take = (inOrder: boolean) =>
        server.database.transaction(30, (client) =>
          indexNextChanges(client, { lane: 'slow', limit: 1, inOrder }),
        );
      expect(await take(true)).toMatchObject({ count: 1 });
      expect(await isIndexed(small)).toBe(false);
      expect(await take(false)).toMatchObject({ count: 1, hasMore: true });
      expect(await isIndexed(small)).toBe(true);
      expect((await Promise.all(large.map(changesOf))).flat()).toEqual([true, true]);
    });
    await settled();
  });

  test('a later change of a document waits behind the earlier one, although the document is small again', async () => {
    const document = await titled('large for a while');
    await settled();
    await withSlowLaneBusy(server, async () => {
      await enlarge(document);
      await until(async () => (await changesOf(document)).includes(true));
      await send(`UPDATE document SET properties = properties - 'dc:source', title = 'small again'
        WHERE id = '${document.uid}'`);
      await until(async () => (await changesOf(document)).join() === 'true,true');
    });
    await settled();
    expect(await send(`SELECT title FROM search_document WHERE id = '${document.uid}'`)).toEqual([
      { title: 'small again' },
    ]);
  });

  test('another process indexes small documents', async () => {
    const errors: unknown[] = [];
    const other = anotherIndex(errors);
    const large = await titled('large for two');
    await settled();
    await withSlowLaneBusy(server, async () => {
      await enlarge(large);
      await until(async () => (await changesOf(large)).includes(true));
      const small = await titled('small for two');
      expect(await other.catchUp(server.database)).toMatchObject({ isCaughtUp: false });
      expect([await isIndexed(small), await changesOf(large)]).toEqual([true, [true]]);
    });
    expect(await other.catchUp(server.database)).toEqual({ isCaughtUp: true, behind: 0 });
    await other.close();
    expect(errors).toEqual([]);
  });
});

describe('Two processes', () => {
  test('index small and large documents at once without an error', async () => {
    const errors: unknown[] = [];
    const other = anotherIndex(errors);
    const documents = await Promise.all(Array.from({ length: 40 }, (_, nth) => titled(`of both ${nth}`)));
    for (let round = 0; round < 5; round += 1) {
      await enlarge(...documents.slice(round, 10 + round));
      await send(`UPDATE document SET title = 'round ${round}' WHERE title ~ '^(of both|round) '`);
      await Promise.all([
        server.searchIndex.catchUp(server.database),
        other.catchUp(server.database),
        titled(`meanwhile ${round}`),
      ]);
    }
    await settled();
    await other.close();
    expect(errors).toEqual([]);
    expect(await send(`SELECT FROM search_document WHERE title = 'round 4'`)).toHaveLength(40);
    expect(await send(`SELECT FROM job WHERE kind = 'index-document'`)).toEqual([]);
  });
});

describe('After a change of 20,000 documents', () => {
  test('the next batch has the newest document, and the oldest changes', async () => {
    await settled();
    await withIndexHeld(server, async () => {
      const oldest = await titled('before them');
      await send(`INSERT INTO search_change (repository, document_id)
        SELECT 'default', gen_random_uuid() FROM generate_series(1, 20000)`);
      const newest = await titled('after them');
      const taken = await server.database.transaction(30, (client) =>
        indexNextChanges(client, { lane: 'fast', limit: changesOfBatch }),
      );
      expect(taken).toMatchObject({ count: changesOfBatch, hasMore: true, hasSlow: false });
      expect([await isIndexed(oldest), await isIndexed(newest)]).toEqual([true, true]);
    });
    await settled();
  });
});

describe('While documents are set aside', () => {
  test('a search takes as many statements as before', async () => {
    await runJobs(server);
    await titled('to be counted');
    await settled();
    await search('to be counted');
    const before = statements(await search('to be counted'));
    for (const count of [1, 3]) {
      for (let nth = count === 1 ? 0 : 1; nth < count; nth += 1) await spoil(await titled(`spoiled ${nth}`));
      await areSetAside(count);
      // A search that begins while a document is still being set aside takes one statement more.
      await until(async () => {
        const answer = await search('to be counted');
        expect([answer.body.resultsCount, answer.headers['x-search-delay']]).toEqual([1, undefined]);
        return statements(answer) === before;
      });
    }
  });

  test('a bulk action completes with all other documents', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const [first] = await Promise.all([0, 1, 2].map((nth) => titled(`of a bulk action ${nth}`, folder)));
    if (!first) throw new Error('no document');
    await spoil(first);
    await areSetAside(4);
    const status = await runBulkBelow(server.request, 'setProperties', folder, { 'dc:title': 'by bulk' });
    expect(status).toMatchObject({ state: 'COMPLETED', total: 2, processed: 2 });
    await settled();
    expect(await hits('by bulk')).toBe(2);
  });
});
