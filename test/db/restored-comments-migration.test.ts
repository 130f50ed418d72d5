import { expect, test } from '@jest/globals';
import { comment } from '../rest/comments/comment-requests.ts';
import { versionsOf } from '../rest/versions/version-requests.ts';
import { createDocument } from '../support/documents.ts';
import { calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';

const server = useServer();
const { request } = server;
const run = calling(server);

const isTrashed = async (id: string) => (await request.get(`/api/v1/id/${id}`).expect(200)).body.isTrashed;

test('the migration takes comments out of the trash whose document is out of it', async () => {
  const folder = await createDocument(server, { type: 'Folder' });
  const file = await createDocument(server);
  await run('Document.CreateVersion', file.uid, { increment: 'Minor' }).expect(200);
  const [version] = await versionsOf(request, file.uid);
  const [forgotten, ofVersion] = [
    await comment(request, folder.uid),
    await comment(request, `${version?.uid}`),
  ];
  const reply = await comment(request, forgotten.id);
  const gone = await createDocument(server);
  const trashed = await comment(request, gone.uid);
  await run('Document.Trash', gone.uid).expect(200);
  const apart = await comment(request, (await createDocument(server)).uid);
  const { parentRef } = (await request.get(`/api/v1/id/${apart.id}`).expect(200)).body;
  await run('Document.Trash', parentRef).expect(200);
  const { prisma } = server.database;
  const below = { OR: [folder.uid, file.uid].map((id) => ({ ancestorIds: { has: id } })), isVersion: false };
  await prisma.document.updateMany({ where: below, data: { isTrashed: true } });
  await prisma.$executeRawUnsafe(
    "DELETE FROM _prisma_migrations WHERE migration_name ~ '_restored_comments$'",
  );

  expect(await server.database.migrate()).toEqual([expect.stringMatching(/_restored_comments$/)]);
  for (const { id } of [forgotten, reply, ofVersion]) expect(await isTrashed(id)).toBe(false);
  for (const { id } of [trashed, apart]) expect(await isTrashed(id)).toBe(true);
});
