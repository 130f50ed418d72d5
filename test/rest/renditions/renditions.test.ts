/** @group slow */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import { JSDOM } from 'jsdom';
import sharp from 'sharp';
import { convert } from 'xmlbuilder2';
import { deny, setAcl } from '../../support/acls.ts';
import { atId, atPath, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asBytes, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { createBinary, createFile, local } from '../blobs/blob-requests.ts';
import { picture } from './pictures.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const place = '/default-domain/workspaces';

const rendition = ({ uid }: Pick<DocumentEntity, 'uid'>, name: string) =>
  server.request.get(`${atId(uid)}/@rendition/${name}`);

/** What an enricher adds to a document. */
async function enriched({ uid }: Pick<DocumentEntity, 'uid'>, name: string): Promise<unknown> {
  const { body } = await server.request.get(atId(uid)).set('enrichers.document', name).expect(200);
  return body.contextParameters[name];
}

const failures = async (): Promise<number> =>
  server.database.prisma.rendition.count({ where: { digest: null } });

describe('@rendition/thumbnail', () => {
  test.each(['jpeg', 'png', 'webp', 'gif', 'tiff', 'avif'] as const)(
    'of a picture of the kind %s fits into a square of 350 pixels',
    async (format) => {
      const mimeType = `image/${format}`;
      const file = await createBinary(server, await picture(1_400, 700, format), { name: 'a.b.x', mimeType });
      const { body, headers } = await asBytes(rendition(file, 'thumbnail')).expect(200);
      const { width, height, format: made } = await sharp(body as Buffer).metadata();
      expect([width, height]).toEqual([350, 175]);
      expect(headers['content-type']).toBe(`image/${made}`);
      expect(headers['content-disposition']).toMatch(/filename="?a\.b\.(jpg|png)"?/);
    },
  );

  test('of a small picture is no larger, and is upright as EXIF says, without its other data', async () => {
    const exif = { IFD0: { Copyright: 'secret place' } };
    const turned = await sharp(await picture(40, 20, 'jpeg'))
      .withMetadata({ orientation: 6 })
      .withExifMerge(exif)
      .toBuffer();
    const file = await createBinary(server, turned, { mimeType: 'image/jpeg' });
    const { body } = await asBytes(rendition(file, 'thumbnail')).expect(200);
    const { width, height, exif: left } = await sharp(body as Buffer).metadata();
    expect([width, height, left]).toEqual([20, 40, undefined]);
  });

  test('of a transparent picture is transparent', async () => {
    const clear = { r: 0, g: 0, b: 0, alpha: 0 };
    const png = await sharp({ create: { width: 500, height: 500, channels: 4, background: clear } })
      .png()
      .toBuffer();
    const file = await createBinary(server, png, { mimeType: 'image/png' });
    const { body } = await asBytes(rendition(file, 'thumbnail')).expect('Content-Type', 'image/png');
    expect((await sharp(body as Buffer).metadata()).hasAlpha).toBe(true);
  });

  test('of an SVG is a picture, which names no other file', async () => {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="700" height="700">
      <rect width="700" height="700" fill="red"/><image href="file:///etc/hostname" width="9" height="9"/></svg>`;
    const file = await createFile(server, { content: svg, 'mime-type': 'image/svg+xml' });
    const { body } = await asBytes(rendition(file, 'thumbnail')).expect('Content-Type', 'image/png');
    expect((await sharp(body as Buffer).metadata()).width).toBe(350);
  });

  test.each([
    ['File', 'file'],
    ['Folder', 'folder'],
    ['Workspace', 'workspace'],
    ['Note', 'note'],
  ])('of a %s without a picture is the picture of its type', async (type, icon) => {
    const document = await createDocument(server, { type });
    const { body, headers } = await asBytes(rendition(document, 'thumbnail')).expect(200);
    expect(headers['content-type']).toMatch(/^image\/svg\+xml/);
    const { body: stock } = await asBytes(server.anonymous.get(`/icons/${icon}.svg`)).expect(200);
    expect(body).toEqual(stock);
  });

  test('of a document whose icon is not here is that of its type, and its name is not kept', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const { uid } = await createDocument(server, { type: 'Note' });
    const megabytes = async (count: number): Promise<number> => {
      for (let asked = 0; asked < count; asked += 1) {
        const letter = 'abcdefghij'.charAt(asked);
        // As an earlier release may have stored it: a body can no longer have such a text.
        await server.database.prisma.$executeRaw`
          UPDATE document SET properties = properties ||
            jsonb_build_object('common:icon', '/icons/' || repeat(${letter}, 2000000) || '.svg')
          WHERE id = ${uid}::uuid`;
        const { text } = await rendition({ uid }, 'thumbnail').expect(200).buffer(true);
        expect(text ?? '').not.toContain(letter.repeat(1_000));
      }
      collect();
      return process.memoryUsage().heapUsed / 1_000_000;
    };
    const before = await megabytes(1);
    expect((await megabytes(10)) - before).toBeLessThan(15);
  });

  test('of a file that is no picture is that of its type, and it is not tried for ever', async () => {
    const before = await failures();
    const file = await createBinary(server, Buffer.from('no picture at all'), { mimeType: 'image/png' });
    for (let asked = 0; asked < 5; asked += 1)
      await rendition(file, 'thumbnail').expect(200).expect('Content-Type', /svg/);
    expect(await failures()).toBe(before + 1);
    const kept = await server.database.prisma.rendition.findFirst({ where: { digest: null } });
    expect(kept).toMatchObject({ failures: 3, error: expect.stringMatching(/./) });
  });

  test('of a picture with too many pixels is that of its type', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="20000" height="20000"/>';
    const file = await createFile(server, { content: svg, 'mime-type': 'image/svg+xml' });
    await rendition(file, 'thumbnail').expect(200).expect('Content-Type', /svg/);
    const { prisma } = server.database;
    expect(await prisma.rendition.count({ where: { error: { contains: 'pixel limit' } } })).toBe(1);
  });

  test('has an ETag, and is asked for with the address of its enricher', async () => {
    const file = await createBinary(server, await picture(400, 400, 'jpeg'), { mimeType: 'image/jpeg' });
    const { url } = (await enriched(file, 'thumbnail')) as { url: string };
    expect(url).toMatch(
      /\/api\/v1\/repo\/default\/id\/.*\/@rendition\/thumbnail\?changeToken=\d+-\d+&sync=true$/,
    );
    const { headers } = await server.request.get(local(url)).expect(200);
    await server.request.get(local(url)).set('If-None-Match', String(headers.etag)).expect(304);
  });
});

describe('@rendition/xmlExport', () => {
  test('has the system fields and all properties, and is well-formed whatever is in them', async () => {
    const title = `<a> & "b" ]]> \u0001 é 日本`;
    const document = await createDocument(server, {
      name: 'exported',
      properties: { 'dc:title': title, 'dc:subjects': ['art', 'sciences'], 'file:content': { content: 'x' } },
    });
    const { body, headers } = await asBytes(rendition(document, 'xmlExport')).expect(200);
    expect(headers['content-type']).toBe('text/xml; charset=UTF-8');
    const xml = (body as Buffer).toString('utf8');
    expect(xml).toContain('<dc:title>&lt;a&gt; &amp; "b" ]]&gt;  é 日本</dc:title>');
    const parsed = convert(xml, { format: 'object' }) as unknown as {
      document: { '@id': string; system: Record<string, unknown>; schema: Record<string, unknown>[] };
    };
    expect(parsed.document).toMatchObject({
      '@repository': 'default',
      '@id': document.uid,
      system: { type: 'File', path: document.path.slice(1), 'lifecycle-state': 'project' },
    });
    const dublincore = parsed.document.schema.find((schema) => schema['@name'] === 'dublincore');
    expect(dublincore).toMatchObject({
      'dc:subjects': { item: ['art', 'sciences'] },
    });
    const file = parsed.document.schema.find((schema) => schema['@name'] === 'file');
    expect(file).toMatchObject({ 'file:content': { 'mime-type': 'text/plain', length: '1' } });
  });

  test.each([
    '<p>a&nbsp;b &copy; &unknown;</p>',
    'a&lt;b &amp;amp; &#65; &#x41; & amp; &',
    'one\r\ntwo\rthree\nfour\u0085five\u2028six',
    ']]> <![CDATA[ x ]]> <!-- y --> <?z?>',
    '  blanks\tat both ends  ',
    '"quotes" and \'apostrophes\' and 😀',
  ])('gives %j back to a parser of XML', async (text) => {
    const note = await createDocument(server, {
      type: 'Note',
      properties: { 'dc:title': text, 'note:note': text },
    });
    const { body } = await asBytes(rendition(note, 'xmlExport')).expect(200);
    const { document } = new JSDOM((body as Buffer).toString('utf8'), { contentType: 'text/xml' }).window;
    const textOf = (name: string) => document.getElementsByTagName(name)[0]?.textContent;
    expect([textOf('dc:title'), textOf('note:note')]).toEqual([text, text]);
  });
});

describe('Renditions', () => {
  test('the enricher lists the visible ones with their addresses', async () => {
    const folder = await createDocument(server, { type: 'Workspace' });
    const listed = (await enriched(folder, 'renditions')) as Array<Record<string, string>>;
    expect(listed).toEqual([
      {
        name: 'thumbnail',
        kind: 'cmis:thumbnail',
        icon: expect.stringMatching(/^http.*\/icons\/picture\.svg$/),
        url: expect.stringContaining(`/id/${folder.uid}/@rendition/thumbnail`),
      },
      {
        name: 'xmlExport',
        kind: '',
        icon: expect.stringMatching(/\/icons\/file\.svg$/),
        url: expect.stringContaining(`/id/${folder.uid}/@rendition/xmlExport`),
      },
      {
        name: 'zipTreeExport',
        kind: '',
        icon: expect.stringMatching(/\/icons\/folder\.svg$/),
        url: expect.stringContaining(`/id/${folder.uid}/@rendition/zipTreeExport`),
      },
    ]);
    for (const { url, icon } of listed) {
      await server.request.get(local(String(url))).expect(200);
      await server.anonymous.get(local(String(icon))).expect(200);
    }
  });

  test('of files and pictures have icons that there are', async () => {
    const png = await createBinary(server, await picture(4, 4, 'png'), { mimeType: 'image/png' });
    const pdf = await createBinary(server, Buffer.from('%PDF'), { mimeType: 'application/pdf' });
    const lists = await Promise.all([png, pdf].map((file) => enriched(file, 'renditions')));
    const listed = lists.flat() as Array<Record<string, string>>;
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(['pdf', 'imageToPDF']));
    for (const { icon = '' } of listed) await server.anonymous.get(local(icon)).expect(200);
  });

  test('mainBlob is the main file, and 404 without one', async () => {
    const file = await createFile(server, { content: 'hello' });
    expect((await rendition(file, 'mainBlob').expect(200)).text).toBe('hello');
    await rendition(await createDocument(server, { type: 'Folder' }), 'mainBlob').expect(404);
  });

  test('are served by path too; an unknown one is 404, an unreadable document 403, no credentials 401', async () => {
    const document = await createDocument(server);
    await server.request.get(`${atPath(document.path)}/@rendition/xmlExport`).expect(200);
    const { body } = await rendition(document, 'nosuch').expect(404);
    expect(body.message).toContain('nosuch');
    await setAcl(server, document.path, [deny('Everyone', 'Everything')]);
    await bob.get(`${atId(document.uid)}/@rendition/thumbnail`).expect(403);
    await server.anonymous.get(`${atId(document.uid)}/@rendition/thumbnail`).expect(401);
    await server.request.get(`${atPath(place)}/nosuch/@rendition/thumbnail`).expect(404);
  });

  test('of a film are the formats that clients have stored, under names that the server does not use', async () => {
    const stored = (name: string | null, content: string | null) => ({
      name,
      content: content === null ? null : { content, name: `${content}.mp4`, 'mime-type': 'video/mp4' },
    });
    const videos = [
      stored('MP4 480p', 'small'),
      stored('MP4 480p', 'again'),
      stored('WebM/é', 'web'),
      stored('xmlExport', 'x'),
      stored(null, 'nameless'),
      stored('empty', null),
    ];
    const film = await createDocument(server, {
      type: 'Video',
      properties: { 'vid:transcodedVideos': videos },
    });
    const listed = (await enriched(film, 'renditions')) as Array<Record<string, string>>;
    const films = listed.filter(({ kind }) => kind === 'nuxeo:video:conversion');
    expect(films).toEqual([
      expect.objectContaining({ name: 'MP4 480p', icon: expect.stringMatching(/\/icons\/video\.svg$/) }),
      expect.objectContaining({ name: 'WebM/é' }),
    ]);
    const answers = films.map(({ url = '' }) => asBytes(server.request.get(local(url))).expect(200));
    const [small, web] = await Promise.all(answers);
    expect(small?.headers['content-type']).toBe('video/mp4');
    expect([String(small?.body), String(web?.body)]).toEqual(['small', 'web']);
    await rendition(film, 'xmlExport').expect(200).expect('Content-Type', /xml/);
    await rendition(film, 'empty').expect(404);
  });

  test('cost a list no statement: thumbnail, preview and renditions are addresses', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    for (let made = 0; made < 5; made += 1) await createDocument(server, { parent: folder.path });
    const cost = async (headers: Record<string, string>) =>
      statements(
        await server.request
          .get(`${atId(folder.uid)}/@children`)
          .set(headers)
          .expect(200),
      );
    const plain = await cost({});
    expect(await cost({ 'enrichers.document': 'thumbnail,preview,renditions' })).toBe(plain);
  });

  test('of a version are those of its own file', async () => {
    const file = await createBinary(server, await picture(500, 500, 'jpeg'), { mimeType: 'image/jpeg' });
    await call(server.request, 'Document.CheckIn', { input: file.uid, params: { version: 'minor' } }).expect(
      200,
    );
    const version = await server.database.prisma.document.findFirstOrThrow({
      where: { liveId: file.uid, isVersion: true },
    });
    const [live, kept] = [
      await rendition(file, 'thumbnail').expect(200),
      await rendition({ uid: version.id }, 'thumbnail').expect(200),
    ];
    expect(kept.headers.etag).toBe(live.headers.etag);
  });
});
