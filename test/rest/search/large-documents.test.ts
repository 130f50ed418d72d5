/** @group slow */
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { changesOfBatch } from '../../../src/store/search/search-changes.ts';
import { putChangesLast, slowChanges } from '../../../src/store/search/set-aside.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { withSlowLaneBusy } from '../../support/held-index.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

jest.setTimeout(60_000);

const server = useServer();
const ann = useUser(server, 'ann');
const bob = useUser(server, 'bob');
let folder: DocumentEntity;

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, [grant('ann', 'ReadWrite'), grant('bob', 'ReadWrite')]);
});

type Requests = TestServer['request'];

const send = <Row>(text: string) => server.database.query<Row>({ name: '', text }, []);

interface Change {
  readonly id: string;
  readonly writer: string | null;
  readonly isSlow: boolean;
  readonly isLarge: boolean;
}

const changesOf = ({ uid }: DocumentEntity) =>
  send<Change>(`SELECT id::text, writer, is_slow AS "isSlow", is_large AS "isLarge" FROM search_change
    WHERE document_id = '${uid}' ORDER BY id`);

const isSlow = (document: DocumentEntity) =>
  until(async () => (await changesOf(document)).some((change) => change.isSlow));

const settled = () => until(async () => (await send('SELECT FROM search_change LIMIT 1')).length === 0);

/** What a search by a title finds, and whether it waited in vain for the index. */
async function search(as: Requests, title: string, headers: Record<string, string> = {}) {
  const query = `SELECT * FROM Document WHERE dc:title = '${title}' AND ecm:isVersion = 0`;
  const answer = await as.get('/api/v1/search/execute').query({ query }).set(headers).expect(200);
  return { found: answer.body.resultsCount as number, hasWaited: 'x-search-delay' in answer.headers };
}

const note = (as: Requests, title: string, text = ''): Promise<DocumentEntity> =>
  createDocument(
    { request: as },
    { parent: folder.path, type: 'Note', properties: { 'dc:title': title, 'note:note': text } },
  );

const largeText = 'large '.repeat(20_000);

describe('§4.7 GET /search/execute while a large document is to be indexed', () => {
  test('does not wait for what another user has written, with a transaction or without', async () => {
    await settled();
    await withSlowLaneBusy(server, async () => {
      const large = await note(ann, 'by ann', largeText);
      await isSlow(large);
      await note(ann, 'small, by ann');
      expect(await search(bob, 'small, by ann')).toEqual({ found: 1, hasWaited: false });
      expect(await search(bob, 'by ann', { 'Svc-Transaction-Timeout': '60' })).toEqual({
        found: 0,
        hasWaited: false,
      });
      expect(await changesOf(large)).toMatchObject([{ writer: 'ann', isSlow: true, isLarge: true }]);
    });
    expect(await search(ann, 'by ann')).toEqual({ found: 1, hasWaited: false });
  });

  test.each([{}, { 'Svc-Transaction-Timeout': '60' }])(
    'waits for what the caller has written, with the headers %p',
    async (headers) => {
      await settled();
      const title = `by bob ${Object.keys(headers).length}`;
      const large = await withSlowLaneBusy(server, async () => {
        const written = await note(bob, title, largeText);
        await isSlow(written);
        expect(await search(bob, title, headers)).toEqual({ found: 0, hasWaited: true });
        return written;
      });
      const waiting = await withSlowLaneBusy(server, async () => {
        await updateDocument(bob, large.uid, { 'dc:title': `${title} again` });
        return search(bob, `${title} again`, headers);
      });
      expect(waiting).toEqual({ found: 0, hasWaited: true });
      expect(await search(bob, `${title} again`, headers)).toEqual({ found: 1, hasWaited: false });
    },
  );

  test('waits for a small change of a large document that another user has written', async () => {
    await settled();
    await withSlowLaneBusy(server, async () => {
      const large = await note(ann, 'of both', largeText);
      await isSlow(large);
      await updateDocument(bob, large.uid, { 'note:note': '' });
      expect(await search(bob, 'of both')).toEqual({ found: 0, hasWaited: true });
      expect(await changesOf(large)).toMatchObject([{ writer: 'ann' }, { writer: 'bob', isLarge: true }]);
    });
  });

  test('waits for no large document that the server itself has written', async () => {
    const document = await note(ann, 'by the server');
    await settled();
    await withSlowLaneBusy(server, async () => {
      await send(`UPDATE document SET properties = properties || '{"note:note": "${largeText}"}'
        WHERE id = '${document.uid}'`);
      await isSlow(document);
      for (const as of [ann, bob, server.request])
        expect(await search(as, 'by the server')).toEqual({ found: 1, hasWaited: false });
      expect(await changesOf(document)).toMatchObject([{ writer: null, isLarge: true }]);
    });
  });

  test('waits for small documents of a batch that has failed, whoever has written them', async () => {
    await settled();
    await withSlowLaneBusy(server, async () => {
      const small = await server.database.transaction(30, async (db) => {
        const text = `INSERT INTO search_change (repository, document_id) VALUES ('default', '${folder.uid}')
          RETURNING id::text`;
        const [change] = await db.query<{ id: string }>({ name: '', text }, []);
        await slowChanges(db, [change?.id ?? '']);
        return change?.id;
      });
      expect(await changesOf(folder)).toEqual([{ id: small, writer: null, isSlow: true, isLarge: false }]);
      expect(await search(bob, 'nothing')).toEqual({ found: 0, hasWaited: true });
    });
  });

  test('waits for nobody else after a change has moved to the end of the slow lane', async () => {
    await settled();
    await withSlowLaneBusy(server, async () => {
      const large = await note(ann, 'moved', largeText);
      await isSlow(large);
      const before = await changesOf(large);
      await server.database.transaction(30, (db) =>
        putChangesLast(
          db,
          before.map(({ id }) => id),
        ),
      );
      expect(await changesOf(large)).toMatchObject([{ writer: 'ann', isSlow: true, isLarge: true }]);
      expect(await search(bob, 'moved')).toEqual({ found: 0, hasWaited: false });
    });
  });

  test(`takes as many statements for ${3 * changesOfBatch} large documents of others as for one`, async () => {
    await settled();
    const query = 'SELECT * FROM Note';
    const count = async () =>
      statements(await bob.get('/api/v1/search/execute').query({ query }).expect(200));
    await withSlowLaneBusy(server, async () => {
      await isSlow(await note(ann, 'counted', largeText));
      const before = await count();
      await send(`INSERT INTO search_change (repository, document_id, writer, is_slow, is_large)
        SELECT 'default', gen_random_uuid(), 'ann', true, true FROM generate_series(1, ${3 * changesOfBatch})`);
      expect(await count()).toBe(before);
    });
  });
});
