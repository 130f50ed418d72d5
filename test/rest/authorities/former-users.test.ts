import { expect, test } from '@jest/globals';
import { bulkJob } from '../../../src/store/bulk/commands.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { resumeBulk, runBulkBelow } from '../../support/bulk.ts';
import { atId, createDocument, documentBody } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';
import { createFile, local } from '../blobs/blob-requests.ts';

const server = useServer();

test('§4.3 a new user of the name gets nothing that the former one has asked for', async () => {
  const [id, bob] = [await createUser(server, 'bob'), as(server, 'bob')];
  const folder = await createDocument(server, { type: 'Folder' });
  const file = await createFile(server, { content: 'x' });
  await setAcl(server, folder.path, [grant('bob', 'Everything')]);
  await setAcl(server, file.path, [grant('bob', 'Read')]);
  const create = () =>
    bob
      .post(atId(folder.uid))
      .set('Idempotency-Key', 'k1')
      .send(documentBody({ type: 'Folder', name: 'sub' }));
  await create().expect(201);
  const { commandId } = await runBulkBelow(bob, 'csvExport', folder, {});
  const conversion = bob.post(`${atId(file.uid)}/@convert`).type('form');
  const { body } = await conversion.send({ type: 'text/plain', async: 'true' }).expect(202);
  const asked = [`/api/v1/bulk/${commandId}`, `/api/v1/bulk/${commandId}/result`, local(body.pollingURL)];
  for (const path of asked) await bob.get(path).expect(200);

  for (const path of [folder.path, file.path]) await setAcl(server, path, []);
  await server.request.delete(`/api/v1/user/${id}`).expect(204);
  for (const path of asked) await server.request.get(path).expect(404);
  await createUser(server, id);
  for (const path of asked) await bob.get(path).expect(404);
  await create().expect(403);
});

test('§4.3 a bulk action under way ends with its user', async () => {
  const [id, username] = ['33333333-3333-4333-8333-333333333333', await createUser(server, 'ghost')];
  const { uid } = await createDocument(server);
  const { prisma } = server.database;
  await prisma.bulkCommand.create({
    data: {
      id,
      repository: 'default',
      username,
      action: 'trash',
      parameters: {},
      query: {},
      state: 'RUNNING',
      total: 1,
      items: { create: [{ depth: 3, documentId: uid }] },
    },
  });
  await server.request.delete(`/api/v1/user/${username}`).expect(204);
  await resumeBulk(server, id);
  await until(async () => (await prisma.job.count({ where: { kind: bulkJob } })) === 0);
  await server.request.get(`/api/v1/bulk/${id}`).expect(404);
  expect((await server.request.get(atId(uid)).expect(200)).body.isTrashed).toBe(false);
});
