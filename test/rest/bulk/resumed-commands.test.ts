import { expect, test } from '@jest/globals';
import { bulkJob } from '../../../src/store/bulk/commands.ts';
import { bulkEnded, resumeBulk } from '../../support/bulk.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createUser } from '../../support/users.ts';

const server = useServer();
const ended = (id: string) => bulkEnded(server.request, id);

test('a command goes on where its process died', async () => {
  const [first, second] = [await createDocument(server), await createDocument(server)];
  const id = '22222222-2222-4222-8222-222222222222';
  const { prisma } = server.database;
  await prisma.bulkCommand.create({
    data: {
      id,
      repository: 'default',
      username: 'Administrator',
      action: 'setProperties',
      parameters: { 'dc:title': 'resumed' },
      query: {},
      state: 'RUNNING',
      total: 2,
      processed: 1,
      items: { create: [{ depth: 4, documentId: second.uid }] },
    },
  });
  await resumeBulk(server, id);
  expect(await ended(id)).toMatchObject({ state: 'COMPLETED', processed: 2, total: 2 });
  expect((await readDocument(server.request, first.uid)).title).not.toBe('resumed');
  expect((await readDocument(server.request, second.uid)).title).toBe('resumed');
});

test('a command ends with the credentials of its user', async () => {
  const id = '55555555-5555-4555-8555-555555555555';
  const { uid } = await createDocument(server);
  const { prisma } = server.database;
  await createUser(server, 'ann', ['administrators']);
  await prisma.bulkCommand.create({
    data: {
      id,
      repository: 'default',
      username: 'ann',
      action: 'trash',
      parameters: {},
      query: {},
      state: 'RUNNING',
      total: 1,
      submittedAt: new Date(Date.now() - 60_000),
      items: { create: [{ depth: 3, documentId: uid }] },
    },
  });
  const body = { 'entity-type': 'user', id: 'ann', properties: { password: 'another secret' } };
  await server.request.put('/api/v1/user/ann').send(body).expect(200);
  await resumeBulk(server, id);
  const errorMessage = "The user's credentials were revoked after the command was submitted.";
  expect(await ended(id)).toMatchObject({ state: 'ABORTED', processed: 0, errorMessage });
  expect((await readDocument(server.request, uid)).isTrashed).toBe(false);
});

test('a command whose slices fail is tried again, then aborted, with a job that is set aside', async () => {
  const id = '44444444-4444-4444-8444-444444444444';
  const data = {
    id,
    repository: 'default',
    username: 'Administrator',
    action: 'of another release',
    parameters: {},
  };
  const { prisma } = server.database;
  await prisma.bulkCommand.create({ data: { ...data, query: {}, state: 'RUNNING' } });
  await resumeBulk(server, id);
  const jobsThat = (where: { state: string; attempts?: number }) =>
    prisma.job.count({ where: { kind: bulkJob, ...where } });
  // One statement checks both, because two statements would also find a job that is taken between them.
  await until(async () => (await jobsThat({ state: 'waiting', attempts: 1 })) === 1);
  await prisma.job.updateMany({ where: { kind: bulkJob }, data: { attempts: 4, runAt: new Date(0) } });
  await server.database.announce('jobs');
  expect(await ended(id)).toMatchObject({
    state: 'ABORTED',
    errorMessage: expect.stringMatching(/^Some documents could not be processed/),
  });
  await until(async () => (await jobsThat({ state: 'set-aside' })) === 1);
  await prisma.job.deleteMany({ where: { kind: bulkJob } });
});
