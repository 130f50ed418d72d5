/** @group slow */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { until } from '../support/until.ts';

const server = useServer();
const tables = ['document', 'upload_batch', '"user"'];

// A trigger raises the error that PostgreSQL raises when its disk is full, since tests cannot fill the disk.
const fail = `
  CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'could not extend file "base/16384/16385": No space left on device' USING ERRCODE = 'disk_full';
  END $$`;

const execute = (sql: string) => server.database.prisma.$executeRawUnsafe(sql);

describe('§7 a full disk of the database', () => {
  beforeAll(async () => {
    await execute(fail);
    for (const table of tables)
      await execute(
        `CREATE TRIGGER disk_full BEFORE INSERT OR UPDATE ON ${table} EXECUTE FUNCTION disk_full()`,
      );
  });
  afterAll(async () => {
    for (const table of tables) await execute(`DROP TRIGGER IF EXISTS disk_full ON ${table}`);
  });

  const workspaces = '/api/v1/path/default-domain/workspaces';
  const body = { 'entity-type': 'document', type: 'File', name: 'never' };
  const user = { 'entity-type': 'user', id: 'never', properties: { username: 'never', password: 'secret' } };
  const message = 'The database cannot write, because its disk is full or has failed. Try again later.';

  test.each([
    ['a new document', () => server.request.post(workspaces).send(body)],
    ['a new user', () => server.request.post('/api/v1/user').send(user)],
    ['a new batch', () => server.request.post('/api/v1/upload')],
    [
      'an operation',
      () =>
        server.request
          .post('/api/v1/automation/Document.SetProperty')
          .send({ input: '/default-domain', params: { xpath: 'dc:title', value: 'never' } }),
    ],
  ])('is 503 for %s', async (_, write) => {
    const response = await write().expect(503);
    expect(response.body).toMatchObject({ status: 503, message });
    expect(response.headers['retry-after']).toBe('5');
  });

  test('is UNAVAILABLE for a mutation of GraphQL', async () => {
    const query = 'mutation { beginUpload { id } }';
    const { errors } = (await server.request.post('/graphql').send({ query })).body;
    expect(errors).toMatchObject([{ message, extensions: { code: 'UNAVAILABLE' } }]);
  });

  test('leaves nothing behind, and does not affect reads', async () => {
    await server.request.get(workspaces).expect(200);
    await server.request.get(`${workspaces}/@children`).expect(200);
    await server.request.get(`${workspaces}/never`).expect(404);
    await server.request.get('/api/v1/user/never').expect(404);
  });

  test('is logged as one line for many requests, without a stack', async () => {
    const lines = () => server.logged.filter(({ msg }) => msg === 'Requests failed because a disk is full.');
    await until(() => lines().length > 0);
    expect(lines()).toMatchObject([{ level: 40, count: 5, reason: message }]);
    expect(server.logged.filter(({ err }) => err !== undefined)).toEqual([]);
  });

  test('ends with the next write once there is space', async () => {
    for (const table of tables) await execute(`DROP TRIGGER disk_full ON ${table}`);
    await createDocument(server);
    await server.request.post('/api/v1/user').send(user).expect(201);
  });
});
