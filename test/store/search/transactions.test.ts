import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { pendingChanges } from '../../../src/store/search/search-changes.ts';
import { only, setAcl } from '../../support/acls.ts';
import { administrator } from '../../support/administrator.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { withIndexHeld } from '../../support/held-index.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';

jest.setTimeout(120_000);

const server = useServer(
  {},
  {
    chains: [
      {
        name: 'moveAndCount',
        params: [{ name: 'target' }, { name: 'query' }],
        operations: [
          { id: 'Document.Move', params: { target: 'expr:ChainParameters.target' } },
          { id: 'Repository.Query', params: { query: 'expr:ChainParameters.query', pageSize: 1 } },
        ],
      },
      {
        name: 'grantAndCount',
        params: [{ name: 'query' }],
        operations: [
          { id: 'Document.AddPermission', params: { permission: 'Read', users: ['bob'] } },
          { id: 'Repository.Query', params: { query: 'expr:ChainParameters.query', pageSize: 1 } },
        ],
      },
      {
        name: 'createAndCount',
        params: [{ name: 'query' }],
        operations: [
          { id: 'Document.Create', params: { type: 'File', name: 'z-own' } },
          { id: 'Repository.Query', params: { query: 'expr:ChainParameters.query', pageSize: 1 } },
        ],
      },
    ],
  },
);

/** Lays documents below a folder, which are to be indexed. */
const lay = ({ uid }: DocumentEntity, count: number) =>
  server.database.query(
    {
      name: '',
      text: `INSERT INTO document
          (repository, id, parent_id, ancestor_ids, name, path, type, title, acl_id, properties, facets)
        SELECT repository, overlay(gen_random_uuid()::text PLACING '0000' FROM 1)::uuid, id, ancestor_ids || id, n::text, path || '/' || n, 'File', n::text,
          acl_id, '{}', '{}'
        FROM document, generate_series(1, ${count}) n WHERE id = '${uid}'`,
    },
    [],
  );

const isIndexed = async () => (await server.searchIndex.catchUp(server.database)).isCaughtUp;
const below = (path: string) => `SELECT * FROM Document WHERE ecm:path STARTSWITH '${path}'`;

/** What a search in a transaction finds below a folder, and how far behind it says to be. */
async function counted({ path }: DocumentEntity) {
  const { body, headers } = await server.request
    .get('/api/v1/search/execute')
    .set('Svc-Transaction-Timeout', '60')
    .query({ query: below(path), pageSize: 1 })
    .expect(200);
  return { count: body.resultsCount as number, delay: headers['x-search-delay'] as string | undefined };
}

describe('§4.7 a search in a transaction', () => {
  let source: DocumentEntity;
  beforeAll(async () => {
    source = await createDocument(server, { type: 'Folder' });
  });

  test('finds everything that the transaction has written, even thousands of documents', async () => {
    const moved = await createDocument(server, { type: 'Folder', parent: source.path, name: 'moved' });
    const target = await createDocument(server, { type: 'Folder' });
    await lay(moved, 1_500);
    await until(isIndexed);
    const query = below(`${target.path}/moved`);
    const { body, headers } = await call(server.request, 'moveAndCount', {
      input: moved.uid,
      params: { target: target.path, query },
    }).expect(200);
    expect([body.resultsCount, headers['x-search-delay']]).toEqual([1_500, undefined]);
  });

  test('finds documents that an ACL of the same transaction grants to a user with few permissions', async () => {
    await createUser(server, 'ann');
    await createUser(server, 'bob');
    const { path, uid } = await createDocument(server, { type: 'Folder' });
    await setAcl(server, path, only('ann', 'Everything'));
    await createDocument(server, { parent: path });
    const given = { input: uid, params: { query: below(path) } };
    const { body } = await call(as(server, 'ann'), 'grantAndCount', given).expect(200);
    expect(body.resultsCount).toBe(1);
  });

  test('finds what was committed before, or says that it is behind', async () => {
    const [folder, count] = [await createDocument(server, { type: 'Folder' }), 1_500];
    await lay(folder, count);
    const first = await counted(folder);
    expect(first.delay !== undefined || first.count === count).toBe(true);
    await until(async () => (await counted(folder)).delay === undefined);
    expect(await counted(folder)).toEqual({ count, delay: undefined });
  });

  test('finds a few documents that others have committed while nobody else can write the index', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await withIndexHeld(server, async () => {
      await lay(folder, 3);
      expect(await counted(folder)).toEqual({ count: 3, delay: undefined });
    });
  });

  test('finds its own writes when a second was too short for what others have committed, and says so', async () => {
    const [folder, count] = [await createDocument(server, { type: 'Folder' }), 3_500];
    await until(isIndexed);
    const { prisma } = server.database;
    await prisma.$executeRawUnsafe(`CREATE FUNCTION pause() RETURNS trigger LANGUAGE plpgsql
      AS 'BEGIN PERFORM pg_sleep(0.6); RETURN NULL; END'`);
    const slow = 'AFTER INSERT ON search_document FOR EACH STATEMENT EXECUTE FUNCTION pause()';
    await prisma.$executeRawUnsafe(`CREATE TRIGGER pause ${slow}`); // two thousand documents in a second
    await withIndexHeld(server, async () => {
      await lay(folder, count); // whose ids come before others
      const query = `${below(folder.path)} ORDER BY ecm:name DESC`;
      const { body, headers } = await call(server.request, 'createAndCount', {
        input: folder.uid,
        params: { query },
      })
        .set('Svc-Transaction-Timeout', '60')
        .expect(200);
      expect(body.entries).toMatchObject([{ name: 'z-own' }]);
      expect(body.resultsCount).toBeLessThan(count);
      expect(Number(headers['x-search-delay'])).toBeGreaterThanOrEqual(1_000);
    });
    await prisma.$executeRawUnsafe('DROP FUNCTION pause CASCADE');
  });

  test('finds what it has written after a savepoint, as its own', async () => {
    const { searchIndex, database } = server;
    await until(isIndexed);
    await withIndexHeld(server, () =>
      database.transaction(30, async (db) => {
        const send = (text: string) => db.query({ name: '', text }, []);
        await send('SAVEPOINT inner_one');
        await send(`UPDATE document SET title = 'after a savepoint' WHERE id = '${source.uid}'`);
        const find = `SELECT title FROM search_document WHERE title = 'after a savepoint'`;
        expect(await pendingChanges(db, administrator.username)).toMatchObject({ areOfOthers: false });
        const { found, state } = await searchIndex.withinTransaction(
          db,
          (query) => query({ name: '', text: find }, []),
          { user: administrator.username, isWaiting: true },
        );
        expect([found.length, state.isCaughtUp]).toEqual([1, true]);
      }),
    );
  });
});
