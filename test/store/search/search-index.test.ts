import { describe, expect, test } from '@jest/globals';
import { compareIndex } from '../../../src/store/search/compare-index.ts';
import { administrator } from '../../support/administrator.ts';
import { createDocument, updateDocument } from '../../support/documents.ts';
import { withIndexHeld } from '../../support/held-index.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { contradictions } from '../consistency.ts';

const server = useServer(
  {},
  {
    chains: [
      {
        name: 'createAndFind',
        operations: [
          {
            id: 'Document.Create',
            params: { type: 'File', name: 'made', properties: 'dc:title=made in a chain' },
          },
          {
            id: 'Repository.Query',
            params: { query: "SELECT * FROM Document WHERE dc:title = 'made in a chain'" },
          },
        ],
      },
    ],
  },
);
const folder = '/default-domain/workspaces';

const search = (query: string) => server.request.get('/api/v1/search/lang/NXQL/execute').query({ query });

const titled = (title: string) => search(`SELECT * FROM Document WHERE dc:title = '${title}'`);

const count = async (text: string): Promise<number> => {
  const [row] = await server.database.query<{ count: number }>({ name: '', text }, []);
  return row?.count ?? Number.NaN;
};
const changes = () => count('SELECT count(*)::int AS count FROM search_change');
const send = (text: string) => server.database.query({ name: '', text }, []);

const settings = { isCheck: false, onProgress: () => {}, signal: new AbortController().signal };
const check = () => compareIndex(server.database, { ...settings, isCheck: true });

describe('§4.7 the search index', () => {
  test('is written soon after a write, without a search', async () => {
    await createDocument(server, { parent: folder, properties: { 'dc:title': 'unasked' } });
    await until(async () => (await changes()) === 0);
    expect(
      await count(`SELECT count(*)::int FROM search_document WHERE 'dc:title=unasked' = ANY(terms)`),
    ).toBe(1);
  });

  test('is written before the answer to a write with svc_es_sync', async () => {
    await server.request
      .post(`/api/v1/path${folder}`)
      .set('svc_es_sync', 'true')
      .send({ 'entity-type': 'document', type: 'File', name: 'sync', properties: { 'dc:title': 'in step' } })
      .expect(201);
    expect(
      await count(`SELECT count(*)::int FROM search_document WHERE 'dc:title=in step' = ANY(terms)`),
    ).toBe(1);
  });

  test('contains everything that was committed before a search', async () => {
    for (let index = 0; index < 20; index += 1) {
      const title = `at once ${index}`;
      const { uid } = await createDocument(server, { parent: folder, properties: { 'dc:title': title } });
      const { body, headers } = await titled(title).expect(200);
      expect(body.entries).toMatchObject([{ uid }]);
      expect(headers).not.toHaveProperty('x-search-delay');
    }
  });

  test('shows a call its own writes', async () => {
    const { body } = await call(server.request, 'createAndFind', {
      input: `doc:${folder}`,
      params: {},
    }).expect(200);
    expect(body.entries).toMatchObject([{ title: 'made in a chain' }]);
  });

  test('is written for others while a call that has searched goes on', async () => {
    const { searchIndex, database } = server;
    await createDocument(server, { parent: folder, properties: { 'dc:title': 'before the call' } });
    await database.transaction(30, async (db) => {
      const text = `UPDATE document SET title = 'in the call' WHERE title = 'before the call'`;
      await db.query({ name: '', text }, []);
      const find = `SELECT title FROM search_document WHERE title = 'in the call'`;
      const finding = (query: typeof db.query) => query({ name: '', text: find }, []);
      const { found } = await searchIndex.withinTransaction(db, finding, {
        user: administrator.username,
        isWaiting: true,
      });
      expect(found).toHaveLength(1);
      await createDocument(server, { parent: folder, properties: { 'dc:title': 'beside the call' } });
      const { body, headers } = await titled('beside the call').expect(200);
      expect(body.entries).toHaveLength(1);
      expect(headers).not.toHaveProperty('x-search-delay');
    });
  });

  test('contains nothing of a failed write', async () => {
    const before = await count('SELECT count(*)::int AS count FROM search_document');
    await server.request
      .post(`/api/v1/path${folder}`)
      .send({
        'entity-type': 'document',
        type: 'File',
        name: 'failed',
        properties: { 'dc:created': 'never' },
      })
      .expect(400);
    await titled('failed').expect(200);
    expect(await count('SELECT count(*)::int AS count FROM search_document')).toBe(before);
  });

  test('lets a search continue after a second and say how far the index is behind', async () => {
    const uid = await withIndexHeld(server, async () => {
      const made = await createDocument(server, { parent: folder, properties: { 'dc:title': 'behind' } });
      const { body, headers } = await titled('behind').expect(200);
      expect(body.entries).toEqual([]);
      expect(Number(headers['x-search-delay'])).toBeGreaterThanOrEqual(1000);
      return made.uid;
    });
    const later = await titled('behind').expect(200);
    expect(later.body.entries).toMatchObject([{ uid }]);
    expect(later.headers).not.toHaveProperty('x-search-delay');
  });

  test('never shows a document whose rights were taken away, however far it is behind', async () => {
    const { uid } = await createDocument(server, { parent: folder, properties: { 'dc:title': 'was open' } });
    await updateDocument(server.request, uid, { 'dc:description': 'indexed' }).expect(200);
    await titled('was open').expect(200);
    await send(`INSERT INTO effective_acl (repository, id, entries) VALUES
      ('default', '00000000-0000-4000-8000-00000000dead', '[]') ON CONFLICT DO NOTHING`);
    await send(`UPDATE document SET acl_id = '00000000-0000-4000-8000-00000000dead' WHERE id = '${uid}'`);
    await send('DELETE FROM search_change');
    const ann = server.anonymous;
    await server.request
      .post('/api/v1/user')
      .send({
        'entity-type': 'user',
        id: 'ann',
        properties: { username: 'ann', password: 'ann-password', groups: ['members'] },
      })
      .expect(201);
    const { body } = await ann
      .get('/api/v1/search/lang/NXQL/execute')
      .query({ query: `SELECT * FROM Document WHERE dc:title = 'was open'` })
      .auth('ann', 'ann-password')
      .expect(200);
    expect(body.entries).toEqual([]);
    await server.request.delete(`/api/v1/id/${uid}`).expect(204);
    await send(`DELETE FROM effective_acl WHERE id = '00000000-0000-4000-8000-00000000dead'`);
  });
});

describe('A comparison of the search index with the documents', () => {
  test('writes rows that are missing, wrong or without a document, and only counts them in a check', async () => {
    await compareIndex(server.database, settings);
    expect((await check()).differing).toBe(0);
    await send(`DELETE FROM search_document WHERE path = '${folder}'`);
    await send(`UPDATE search_document SET terms = '{}' WHERE path = '/default-domain'`);
    await send(`INSERT INTO search_document SELECT repository, gen_random_uuid(), parent_id, ancestor_ids, name, path, type,
      facets, title, state, is_version, is_proxy, is_trashed, is_checked_out, is_latest_version, is_latest_major_version,
      acl_id, created, modified, terms, words FROM search_document WHERE path = '/default-domain'`);
    expect((await check()).differing).toBe(3);
    expect((await compareIndex(server.database, settings)).differing).toBe(3);
    expect((await check()).differing).toBe(0);
    expect(await contradictions(server)).toEqual([]);
  });

  test('does not fail a write with svc_es_sync that cannot be waited for', async () => {
    await server.stopCallersJobs(); // they ask the table that is away
    await send('ALTER TABLE job RENAME TO job_away');
    const { status, headers } = await server.request
      .post(`/api/v1/path${folder}`)
      .set('svc_es_sync', 'true')
      .send({ 'entity-type': 'document', type: 'Folder', name: 'kept' });
    await send('ALTER TABLE job_away RENAME TO job');
    expect(status).toBe(201);
    expect(Number(headers['x-search-delay'])).toBeGreaterThan(0);
    await server.request.get(`/api/v1/path${folder}/kept`).expect(200);
  });
});
