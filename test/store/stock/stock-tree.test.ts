import { expect, test } from '@jest/globals';
import { hashPassword } from '../../../src/store/authorities/passwords.ts';
import { createStockContent } from '../../../src/store/stock/stock-content.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { administrator } from '../../support/administrator.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
useUser(server, 'ann', ['members']);

const createAgain = () =>
  createStockContent(server.database, server.model, {
    repositories: ['default'],
    administrator,
    hash: hashPassword,
    isAdded: true,
  });

test('§1 The stock tree is created only once: a start keeps changed ACLs, and leaves out deleted documents', async () => {
  await server.request.delete('/api/v1/path/default-domain/sections').expect(204);
  await setAcl(server, '/', [grant('ann', 'ReadWrite')]);
  await createAgain();
  const { body } = await server.request.get('/api/v1/path/@acl').expect(200);
  expect(body.acl[0].ace).toMatchObject([{ username: 'ann', permission: 'ReadWrite' }]);
  await setAcl(server, '/', []);
  await createAgain();
  expect((await server.request.get('/api/v1/path/@acl').expect(200)).body.acl).toEqual([]);
  await server.request.get('/api/v1/path/default-domain/sections').expect(404);
});
