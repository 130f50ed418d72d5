import { describe, expect, test } from '@jest/globals';
import { createStockTree } from '../../../src/store/stock/stock-content.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { as, useUser } from '../../support/users.ts';
import { wrongAcls } from '../acls/acl-consistency.ts';

const server = useServer();
useUser(server, 'ann', ['members']);

const lay = () =>
  server.database.transaction(60, (client) => createStockTree(client, 'default', 'Administrator'));

/** Resets the tables to their state after the migration that adds ACLs. */
async function forgetAll(): Promise<void> {
  const { prisma } = server.database;
  await prisma.documentAcl.deleteMany();
  await prisma.effectiveAcl.deleteMany();
  await prisma.document.updateMany({ data: { aclId: '00000000-0000-0000-0000-000000000000' } });
}

describe('§1 documents that are older than ACLs', () => {
  test('are readable only for administrators until a start creates the stock ACLs', async () => {
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

  test('get the stock ACLs even when parts of the stock tree are deleted', async () => {
    await server.request.delete('/api/v1/path/default-domain/sections').expect(204);
    await forgetAll();
    await lay();
    expect(await wrongAcls(server)).toEqual([]);
  });

  test('keep changed ACLs: the stock ACLs are created only once', async () => {
    await setAcl(server, '/', [grant('ann', 'ReadWrite')]);
    await lay();
    const { body } = await server.request.get('/api/v1/path/@acl').expect(200);
    expect(body.acl[0].ace).toMatchObject([{ username: 'ann', permission: 'ReadWrite' }]);
    await setAcl(server, '/', []);
    await lay();
    expect((await server.request.get('/api/v1/path/@acl').expect(200)).body.acl).toEqual([]);
  });
});
