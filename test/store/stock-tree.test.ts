import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { layTree } from '../../src/store/stock-tree.ts';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';
import { wrongAcls } from './acl-consistency.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  await createUser(server, 'ann', ['members']);
});
afterAll(() => server.stop());

const lay = () => server.database.transaction(60, (client) => layTree(client, 'default', 'Administrator'));

/** Brings the tables to where the migration brings them that adds ACLs. */
async function forgetAll(): Promise<void> {
  const { prisma } = server.database;
  await prisma.documentAcl.deleteMany();
  await prisma.effectiveAcl.deleteMany();
  await prisma.document.updateMany({ data: { aclId: '00000000-0000-0000-0000-000000000000' } });
}

describe('§1 documents of before there were ACLs', () => {
  test('are for administrators alone, until the stock ACLs are laid at a start', async () => {
    const { path } = await createDocument(server);
    await forgetAll();
    await as(server, 'ann').get(`/api/v1/path${path}`).expect(403);
    await server.request.get(`/api/v1/path${path}`).expect(200);
    await lay();
    expect(await wrongAcls(server)).toEqual([]);
    await as(server, 'ann').get(`/api/v1/path${path}`).expect(200);
    const { body } = await server.request.get('/api/v1/path/default-domain/sections/@acl').expect(200);
    expect(body.acl.map(({ name }: { name: string }) => name)).toEqual(['local', 'inherited']);
  });

  test('get them although some of the tree is gone', async () => {
    await server.request.delete('/api/v1/path/default-domain/sections').expect(204);
    await forgetAll();
    await lay();
    expect(await wrongAcls(server)).toEqual([]);
  });

  test('keep what was changed: the stock ACLs are laid once', async () => {
    await setAcl(server, '/', [grant('ann', 'ReadWrite')]);
    await lay();
    const { body } = await server.request.get('/api/v1/path/@acl').expect(200);
    expect(body.acl[0].ace).toMatchObject([{ username: 'ann', permission: 'ReadWrite' }]);
    await setAcl(server, '/', []);
    await lay();
    expect((await server.request.get('/api/v1/path/@acl').expect(200)).body.acl).toEqual([]);
  });
});
