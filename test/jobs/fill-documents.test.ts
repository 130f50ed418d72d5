/** @group slow */

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import { picture, uploadedBlob, uploadPicture } from '../rest/renditions/pictures.ts';
import { countsIn, list } from '../rest/search/search-requests.ts';
import {
  atId,
  createDocument,
  type DocumentEntity,
  documentBody,
  readDocument,
} from '../support/documents.ts';
import { runJobs } from '../support/jobs.ts';
import { asBytes, calling } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { settledFiles } from '../support/settled.ts';
import { until } from '../support/until.ts';
import { untilWaiting } from '../support/until-waiting.ts';

const server = useServer();
const call = calling(server);

let stop: () => Promise<void> = async () => {};
const failed: unknown[] = [];
const start = async () => {
  stop = await runJobs(server, (error) => failed.push(error));
};
beforeAll(start);
afterAll(() => expect(failed).toEqual([]));

const settled = () => settledFiles(server);

const read = ({ uid }: Pick<DocumentEntity, 'uid'>) => readDocument(server.request, uid);

const put = ({ uid }: DocumentEntity, properties: object, headers = {}) =>
  server.request.put(atId(uid)).set(headers).send(documentBody({ properties }));

interface View {
  readonly title: string;
  readonly content: { readonly data: string; readonly digest: string };
}
const viewsOf = async (document: Pick<DocumentEntity, 'uid'>) =>
  (await read(document)).properties['picture:views'] as View[];
const infoOf = async (document: DocumentEntity) => (await read(document)).properties['picture:info'];

const uploaded = (bytes: Buffer) => uploadedBlob(server, bytes);

let shade = 0;
/** A picture that no other test has. */
const another = (width = 300, height = 200) => {
  shade += 1;
  return picture(width, height, 'jpeg', `#${shade.toString(16).padStart(6, '0')}`);
};

/** A photograph of a camera on its side. */
const photograph = async () =>
  sharp(await picture(1_000, 1_400, 'jpeg'))
    .withExif({
      IFD0: { Make: 'Acme', Model: 'One', Copyright: 'Ada' },
      IFD2: { DateTimeOriginal: '2024:05:06 07:08:09', FNumber: '28/10', ISOSpeedRatings: '200' },
      IFD3: { GPSLatitude: '51/1 30/1 0/1' },
    })
    .withMetadata({ orientation: 6 })
    .withIccProfile('p3')
    .toBuffer();

test.each(['0000:00:00 00:00:00', '2024:13:01 00:00:00', '2024:02:30 00:00:00', '2024:01:01 25:00:00'])(
  'leaves the date of a picture unset when EXIF says %j',
  async (DateTimeOriginal) => {
    const bytes = await sharp(await another())
      .withExif({ IFD0: { Make: 'Acme' }, IFD2: { DateTimeOriginal } })
      .toBuffer();
    const document = await uploadPicture(server, bytes, { headers: { svc_es_sync: 'true' } });
    const { properties } = await read(document);
    expect(properties).toMatchObject({ 'imd:equipment': 'Acme', 'imd:date_time_original': null });
  },
);

describe('§8 the views of a picture', () => {
  test('are stored soon after, with what its file tells, and a write with svc_es_sync waits for them', async () => {
    const bytes = await photograph();
    const document = await uploadPicture(server, bytes, { headers: { svc_es_sync: 'true' } });
    const { properties, changeToken } = await read(document);
    const small = {
      title: 'Small',
      description: 'Small Size',
      tag: 'small',
      width: 550,
      height: 393,
      filename: 'Small_photo.jpg',
      info: { width: 550, height: 393, depth: 8, format: 'JPEG', colorSpace: 'sRGB' },
      content: expect.objectContaining({ name: 'Small_photo.jpg', 'mime-type': 'image/jpeg' }),
    };
    const views = properties['picture:views'] as View[];
    expect(views.map(({ title }) => title)).toEqual([
      'Thumbnail',
      'Small',
      'Medium',
      'FullHD',
      'OriginalJpeg',
    ]);
    expect(views[1]).toEqual(small);
    expect(properties).toMatchObject({
      'picture:info': { width: 1_400, height: 1_000, depth: 8, format: 'JPEG', colorSpace: 'sRGB' },
      'imd:equipment': 'Acme One',
      'imd:copyright': 'Ada',
      'imd:orientation': '6',
      'imd:date_time_original': '2024-05-06T07:08:09.000Z',
      'imd:fnumber': 2.8,
      'imd:iso_speed_ratings': '200',
    });
    const { 'dc:modified': modified, 'dc:contributors': contributors } = document.properties;
    expect(properties).toMatchObject({ 'dc:modified': modified, 'dc:contributors': contributors });
    expect([document.changeToken, changeToken]).toEqual(['0-0', '1-0']);
    expect((await server.request.get(`${atId(document.uid)}/@audit`)).body.resultsCount).toBe(1);
    const { body } = await asBytes(server.request.get(new URL(views[1]?.content.data ?? '').pathname));
    const { icc, exif } = await sharp(body as Buffer).metadata();
    expect([icc === undefined, exif]).toEqual([false, undefined]);
  });

  test('make no change of a user stale', async () => {
    const document = await uploadPicture(server, await another());
    const { etag = '' } = (await server.request.get(atId(document.uid))).headers;
    await settled();
    await server.request.get(atId(document.uid)).set('If-None-Match', etag).expect(200);
    await put(document, { 'dc:title': 'A' }, { 'If-Match': etag }).expect(200);
    const { changeToken } = document;
    await server.request
      .put(atId(document.uid))
      .send(documentBody({ changeToken, properties: { 'dc:title': 'B' } }))
      .expect(409);
    expect((await viewsOf(document)).length).toBe(5);
  });

  test('are found by assets_search, and their names are no words of the document', async () => {
    const { path: parent } = await createDocument(server, { type: 'Folder' });
    await uploadPicture(server, await another(200, 400), { parent });
    await uploadPicture(server, await another(1_300, 700), { parent });
    await settled();
    const answer = await list(server.request, 'assets_search', { ecm_path: parent }).expect(200);
    expect(countsIn(answer, 'asset_width_agg')).toMatchObject({ to_500_px: 1, from_500_to_1500_px: 1 });
    expect(countsIn(answer, 'asset_height_agg')).toMatchObject({ to_500_px: 1, from_500_to_1500_px: 1 });
    expect(countsIn(answer, 'color_profile_agg')).toEqual({ sRGB: 2 });
    expect(countsIn(answer, 'color_depth_agg')).toEqual({ 8: 2 });
    const found = await list(server.request, 'assets_search', { ecm_fulltext: 'thumbnail' }).expect(200);
    expect(found.body.entries).toEqual([]);
  });

  test('are shared by copies, versions and proxies, whatever comes first', async () => {
    await stop();
    const document = await uploadPicture(server, await another());
    const version = (await call('Document.CreateVersion', document.uid, { increment: 'Major' })).body;
    const { body: section } = await call('Document.Create', '/default-domain/sections', {
      type: 'Section',
      name: 's',
    });
    const proxy = (await call('Document.PublishToSection', document.uid, { target: section.uid })).body;
    await start();
    await settled();
    const { body: copy } = await call('Document.Copy', document.uid, {
      target: '/default-domain/workspaces',
    });
    const [last] = (await call('Document.GetVersions', document.uid)).body.entries as DocumentEntity[];
    const digests = async (of: Pick<DocumentEntity, 'uid'>) =>
      (await viewsOf(of)).map(({ content }) => content.digest);
    const own = await digests(document);
    expect(own.length).toBe(5);
    expect(version.properties['picture:views']).toEqual([]);
    for (const each of [copy, last as DocumentEntity, proxy]) expect(await digests(each)).toEqual(own);
    const { prisma } = server.database;
    expect(await prisma.rendition.count({ where: { digest: { in: own } } })).toBe(5);
  });

  test('go with their file, at once', async () => {
    const document = await uploadPicture(server, await photograph());
    await settled();
    const [before] = await viewsOf(document);
    const changed = (
      await put(document, { 'file:content': await uploaded(await another(50, 40)) }).expect(200)
    ).body;
    expect(changed.properties).toMatchObject({
      'picture:views': [],
      'picture:info': null,
      'imd:equipment': null,
    });
    await settled();
    expect(await infoOf(document)).toMatchObject({ width: 50, height: 40 });
    expect((await viewsOf(document))[0]?.content.digest).not.toBe(before?.content.digest);
    const { properties } = (await put(document, { 'file:content': null }).expect(200)).body;
    expect(properties).toMatchObject({ 'picture:views': [], 'picture:info': null });
    await settled();
    expect(await viewsOf(document)).toEqual([]);
  });

  test('that a client has stored stay, as do other values of its own', async () => {
    const views = [
      { title: 'Small', content: { content: 'small', name: 's.jpg', 'mime-type': 'image/jpeg' } },
    ];
    const document = await uploadPicture(server, await photograph(), {
      properties: { 'picture:views': views, 'imd:copyright': 'Bob' },
    });
    await settled();
    const { properties } = await read(document);
    expect(properties).toMatchObject({ 'picture:info': { width: 1_400 }, 'imd:copyright': 'Bob' });
    await put(document, { 'file:content': await uploaded(await another()) }).expect(200);
    await settled();
    expect((await viewsOf(document)).map(({ title }) => title)).toEqual(['Small']);
    expect(await infoOf(document)).toMatchObject({ width: 300 });
    expect((await read(document)).properties).toMatchObject({
      'imd:copyright': 'Bob',
      'imd:equipment': null,
    });
  });

  test('reach a document that is locked or in the trash, and a retained one when it may change again', async () => {
    await stop();
    const bytes = await another();
    const [locked, held, trashed] = await Promise.all([1, 2, 3].map(() => uploadPicture(server, bytes)));
    await call('Document.Lock', locked?.uid).expect(200);
    await call('Document.Hold', held?.uid).expect(200);
    await call('Document.Trash', trashed?.uid).expect(200);
    await start();
    await settled();
    const counts = async () =>
      Promise.all(
        [locked, held, trashed].map(async (each) => (await viewsOf(each as DocumentEntity)).length),
      );
    expect(await counts()).toEqual([5, 0, 5]);
    await call('Document.Unhold', held?.uid).expect(200);
    await settled();
    expect(await counts()).toEqual([5, 5, 5]);
  });

  test('wait for no transaction that has locked the document', async () => {
    await stop();
    const bytes = await another();
    const [first, second] = await Promise.all([1, 2].map(() => uploadPicture(server, bytes)));
    const waiting = { kind: 'fill-documents', state: 'waiting' } as const;
    await start();
    await server.database.transaction(60, async (client) => {
      await client.prisma.document.updateMany({ where: { id: first?.uid ?? '' }, data: { position: 1 } });
      await until(async () => (await viewsOf(second as DocumentEntity)).length === 5);
      await until(async () => (await server.database.prisma.job.count({ where: waiting })) === 1);
    });
    await server.database.prisma.job.updateMany({
      where: { kind: 'fill-documents' },
      data: { runAt: new Date() },
    });
    await server.database.announce('jobs');
    await settled();
    expect((await viewsOf(first as DocumentEntity)).length).toBe(5);
  });

  test('are made for a document that gets the file while the job has found no other with it', async () => {
    await stop();
    const { database, searchIndex } = server;
    const run = (text: string, db: Pick<typeof database, 'query'> = database) =>
      db.query({ name: '', text }, []);
    const bytes = await another();
    const gone = await uploadPicture(server, bytes);
    await searchIndex.catchUp(database);
    await server.request.delete(atId(gone.uid)).expect(204);
    await searchIndex.catchUp(database);
    await run(`CREATE FUNCTION hold_end() RETURNS trigger LANGUAGE plpgsql AS
      'BEGIN PERFORM pg_advisory_xact_lock_shared(77); RETURN OLD; END'`);
    await run(`CREATE TRIGGER hold BEFORE DELETE ON job FOR EACH ROW WHEN (OLD.kind = 'fill-documents')
      EXECUTE FUNCTION hold_end()`);
    const later = await database.transaction(60, async (client) => {
      await run('SELECT FROM pg_advisory_xact_lock(77)', client);
      await start();
      await untilWaiting(database, 1);
      const { uid } = await uploadPicture(server, bytes);
      await searchIndex.catchUp(database);
      return { uid };
    });
    await settled();
    await run('DROP FUNCTION hold_end CASCADE');
    expect(await viewsOf(later)).toHaveLength(5);
  });

  test('are not made of damaged pictures, other files and other documents', async () => {
    const damaged = await uploadPicture(server, Buffer.from('no picture'));
    const text = await uploadPicture(server, Buffer.from('text'), { type: 'text/plain' });
    const content = await uploaded(await another());
    const file = await createDocument(server, { type: 'File', properties: { 'file:content': content } });
    const faceted = await createDocument(server, {
      type: 'File',
      properties: { 'file:content': await uploaded(await another()) },
    });
    await call('Document.AddFacet', faceted.uid, { facet: 'Picture' }).expect(200);
    await settled();
    for (const each of [damaged, text]) expect(await viewsOf(each)).toEqual([]);
    expect(await viewsOf(file)).toBeUndefined();
    expect((await viewsOf(faceted)).length).toBe(5);
    expect(await server.database.prisma.job.count({ where: { kind: 'fill-documents' } })).toBe(0);
  });
});
