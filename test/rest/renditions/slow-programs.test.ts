import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { atId } from '../../support/documents.ts';
import { programs } from '../../support/programs.ts';
import { type S3Server, startS3Server } from '../../support/s3-server.ts';
import { startServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { createBinary } from '../blobs/blob-requests.ts';

let s3: S3Server;
beforeAll(async () => {
  s3 = await startS3Server();
});
afterAll(async () => s3[Symbol.asyncDispose]());

/** Writes a file when it begins, and waits for another one before it goes on. */
const soffice = `
here=$(dirname "$0")
touch "$here/begun"
while [ ! -e "$here/go" ]; do sleep 0.1; done
exit 3`;

// §10: of two conversions at once, programs run in one.
test.each<[string, () => Record<string, string>]>([
  ['one process', () => ({})],
  ['a worker of several', () => ({ WORKERS: '4' })],
  ['one process with blobs in S3', () => ({ BLOB_STORE: s3.address('slow') })],
])('programs that take long leave %s a thumbnail of others', async (_, settings) => {
  const folder = await programs({ soffice });
  await using server = await startServer({ CONVERTER_FOLDERS: folder, ...settings() });
  const files = ['one', 'two', 'three', 'four', 'five'].map((text) => Buffer.from(`{\\rtf1 ${text}}`));
  const stored = await Promise.all(files.map((bytes) => server.blobs.write([bytes])));
  const background = 'red';
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background } })
    .png()
    .toBuffer();
  const picture = await createBinary(server, png, { mimeType: 'image/png' });
  // As jobs do, which wait as long as it takes.
  const asked = Promise.allSettled(
    stored.map((file) =>
      server.conversions.of(server.database, 'pdf', { ...file, mimeType: 'application/rtf' }),
    ),
  );
  await until(async () =>
    access(join(folder, 'begun')).then(
      () => true,
      () => false,
    ),
  );
  const thumbnail = server.request.get(`${atId(picture.uid)}/@rendition/thumbnail`).timeout(40_000);
  await thumbnail.expect(200).expect('Content-Type', /^image\/(png|jpeg)/);
  await writeFile(join(folder, 'go'), '');
  expect(await asked).toEqual(files.map(() => ({ status: 'fulfilled', value: null })));
});
