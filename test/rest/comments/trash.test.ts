import { expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { versionsOf } from '../versions/version-requests.ts';
import { comment, commentsOn, textsOf } from './comment-requests.ts';

const server = useServer();
const { request } = server;
const run = calling(server);
checkConsistency(server);

/** A folder with so many comments, with two children and a version of the folder's file. */
async function commentedFolder(comments = 1) {
  const folder = await createDocument(server, { type: 'Folder' });
  const kept = await createDocument(server, { type: 'Folder', parent: folder.path });
  const gone = await createDocument(server, { parent: folder.path });
  for (let at = 0; at < comments; at += 1) await comment(request, folder.uid, `on the folder ${at}`);
  await comment(request, kept.uid, 'on the child');
  return { folder, kept, gone };
}

const trashedComments = ({ uid }: DocumentEntity) =>
  server.database.prisma.document.count({
    where: { ancestorIds: { has: uid }, isTrashed: true, type: { in: ['CommentRoot', 'Comment'] } },
  });

// §4.7, §11
test('a folder that is restored for one of its documents gets its comments back', async () => {
  const { folder, kept, gone } = await commentedFolder();
  const [first] = await commentsOn(request, folder.uid);
  await comment(request, String(first?.id), 'a reply');
  await comment(request, gone.uid, 'on the other child');
  await run('Document.Trash', folder.uid).expect(200);
  await run('Document.Untrash', kept.uid).expect(200);
  expect((await readDocument(request, gone.uid)).isTrashed).toBe(true);
  expect(await trashedComments(gone)).toBe(2);
  expect(await trashedComments(folder)).toBe(2);

  await run('Document.EmptyTrash', folder.uid).expect(200);
  await request.get(`/api/v1/id/${gone.uid}`).expect(404);
  expect(textsOf(await commentsOn(request, folder.uid))).toEqual(['on the folder 0']);
  expect(textsOf(await commentsOn(request, String(first?.id)))).toEqual(['a reply']);
  expect(textsOf(await commentsOn(request, kept.uid))).toEqual(['on the child']);
});

test('so do the versions of a restored ancestor', async () => {
  const above = await createDocument(server, { type: 'Folder' });
  const file = await createDocument(server, { parent: above.path });
  const child = await createDocument(server, { parent: file.path });
  await run('Document.CreateVersion', file.uid, { increment: 'Minor' }).expect(200);
  const [version] = await versionsOf(request, file.uid);
  const { id } = await comment(request, String(version?.uid), 'on the version');
  await run('Document.Trash', above.uid).expect(200);
  expect((await readDocument(request, id)).isTrashed).toBe(true);
  await run('Document.Untrash', child.uid).expect(200);
  expect((await readDocument(request, id)).isTrashed).toBe(false);
});

test('emptying a trashed folder leaves its comments to it', async () => {
  const { folder, kept, gone } = await commentedFolder();
  await run('Document.Trash', folder.uid).expect(200);
  await run('Document.EmptyTrash', folder.uid).expect(200);
  for (const { uid } of [kept, gone]) await request.get(`/api/v1/id/${uid}`).expect(404);
  await run('Document.Untrash', folder.uid).expect(200);
  expect(textsOf(await commentsOn(request, folder.uid))).toEqual(['on the folder 0']);
  expect(await trashedComments(folder)).toBe(0);
});

test('a restore costs as many statements for many comments as for one', async () => {
  const counts: number[] = [];
  for (const comments of [1, 8]) {
    const { folder, kept } = await commentedFolder(comments);
    await run('Document.Trash', folder.uid).expect(200);
    counts.push(statements(await run('Document.Untrash', kept.uid).expect(200)));
  }
  expect(counts[0]).toBe(counts[1]);
});
