/** @group every-database */

import { expect, test } from '@jest/globals';
import { sweepBlobs } from '../../../src/store/blobs/sweep-blobs.ts';
import { deleteUnusedRenditions } from '../../../src/store/renditions/delete-unused-renditions.ts';
import { atId, type DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { createBinary } from '../blobs/blob-requests.ts';
import { picture } from './pictures.ts';

const server = useServer();

const thumbnail = ({ uid }: DocumentEntity) => server.request.get(`${atId(uid)}/@rendition/thumbnail`);

test('A thumbnail is made once for equal bytes, and goes when no document has them', async () => {
  const bytes = await picture(900, 900, 'jpeg');
  const [one, other] = [
    await createBinary(server, bytes, { mimeType: 'image/jpeg' }),
    await createBinary(server, bytes, { mimeType: 'image/jpeg' }),
  ];
  const { prisma } = server.database;
  const before = await prisma.rendition.count();
  const first = await thumbnail(one).expect(200);
  const second = await thumbnail(other).expect(200);
  expect(second.headers.etag).toBe(first.headers.etag);
  expect(await prisma.rendition.count()).toBe(before + 1);
  expect(statements(second)).toBeLessThan(statements(first));

  const digest = String(first.headers.etag).slice(1, -1);
  const old = new Date(Date.now() - 2 * 86_400_000);
  await prisma.rendition.updateMany({ where: { digest }, data: { createdAt: old } });
  const swept = async () => {
    await deleteUnusedRenditions(server.database, 1);
    await sweepBlobs(server.database, server.blobs, 0);
    return (await server.blobs.renew(digest)) === undefined;
  };
  expect(await swept()).toBe(false);
  for (const { uid } of [one, other]) await server.request.delete(atId(uid)).expect(204);
  expect(await swept()).toBe(true);
});
