import { describe, expect, test } from '@jest/globals';
import {
  createDocument,
  type DocumentEntity,
  readDocument,
  updateDocument,
} from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { blobIn, blobRowsOf, createFile, createWithFiles, download, local } from './blob-requests.ts';

const server = useServer({
  REPOSITORIES: 'default,other',
  PUBLIC_URL: 'https://quire.example',
  ADMIN_PASSWORD: 'another',
});

const missing = '00000000-0000-4000-8000-000000000000';

async function bytesOf(document: DocumentEntity): Promise<string> {
  const { body } = await download(server, local(blobIn(document).data)).expect(200);
  return (body as Buffer).toString();
}

describe("§2.1 an update with the document's own blob address", () => {
  test('changes nothing when it is the entity that GET returned', async () => {
    const { uid } = await createFile(server, { content: 'one', name: 'one.txt', 'mime-type': 'text/csv' });
    const before = await readDocument(server.request, uid);
    const { body } = await server.request.put(`/api/v1/id/${uid}`).send(before).expect(200);
    expect(body).toEqual(before);
  });

  test('keeps the blob when only the address is sent', async () => {
    const file = await createFile(server, { content: 'one', name: 'one.txt', 'mime-type': 'text/csv' });
    const { data } = blobIn(file);
    const { body } = await updateDocument(server.request, file.uid, { 'file:content': { data } }).expect(200);
    expect(blobIn(body)).toEqual(blobIn(file));
  });

  test('keeps the blob while another property changes', async () => {
    const file = await createFile(server, { content: 'one', name: 'one.txt' });
    const properties = { ...file.properties, 'dc:title': 'Changed' };
    const { body } = await updateDocument(server.request, file.uid, properties).expect(200);
    const { digest, name } = blobIn(file);
    expect(blobIn(body)).toMatchObject({ digest, name });
    expect(body.properties['dc:title']).toBe('Changed');
  });

  test('can change name, MIME type and encoding of the blob', async () => {
    const file = await createFile(server, { content: 'one', name: 'one.txt' });
    const described = { name: 'two.csv', 'mime-type': 'text/csv', encoding: 'ISO-8859-1' };
    const { body } = await updateDocument(server.request, file.uid, {
      'file:content': { ...blobIn(file), ...described },
    }).expect(200);
    expect(blobIn(body)).toMatchObject({ ...described, digest: blobIn(file).digest });
  });

  test('ignores digest and length of the body', async () => {
    const file = await createFile(server, { content: 'one' });
    const lies = { digest: 'f'.repeat(64), length: '99', digestAlgorithm: 'MD5' };
    await updateDocument(server.request, file.uid, { 'file:content': { ...blobIn(file), ...lies } }).expect(
      200,
    );
    expect(await readDocument(server.request, file.uid)).toMatchObject({ changeToken: file.changeToken });
  });

  test.each([
    ['another host', (url: URL) => url.href.replace(url.origin, 'https://elsewhere.example:8443')],
    ['another application context', (url: URL) => url.href.replace('/api/v1', '/nuxeo/site/api/v1')],
    [
      'the form of /nxfile',
      (url: URL) =>
        `${url.origin}/nuxeo/nxfile${url.pathname.replace(/^.*\/repo\/(\w+)\/id\/(.+)\/@blob\//, '/$1/$2/')}/any%20name`,
    ],
    ['an old change token', (url: URL) => `${url.origin}${url.pathname}?changeToken=0-0`],
    ['a change token that is none', (url: URL) => `${url.origin}${url.pathname}?changeToken=x&y=z#top`],
    ['no change token', (url: URL) => `${url.origin}${url.pathname}`],
    ['no repository', (url: URL) => url.href.replace('/repo/default', '')],
    ['no host', (url: URL) => url.pathname],
    ['a percent-encoded xpath', (url: URL) => url.href.replace('file:content', 'file%3Acontent')],
    ['an id in upper case', (url: URL) => url.href.replace(/[0-9a-f-]{36}/, (id) => id.toUpperCase())],
  ])('keeps the blob for an address with %s', async (_, change) => {
    const file = await createFile(server, { content: 'one' });
    const data = change(new URL(blobIn(file).data));
    const { body } = await updateDocument(server.request, file.uid, { 'file:content': { data } }).expect(200);
    expect(blobIn(body).digest).toBe(blobIn(file).digest);
  });

  test('can reorder and shorten a list of blobs', async () => {
    const file = await createWithFiles(server, ['a', 'b', 'c']);
    const [a, b, c] = file.properties['files:files'] as Array<{ file: { data: string; digest: string } }>;
    const { body } = await updateDocument(server.request, file.uid, { 'files:files': [c, a] }).expect(200);
    const digests = body.properties['files:files'].map((item: typeof a) => item?.file.digest);
    expect(digests).toEqual([c?.file.digest, a?.file.digest]);
    expect(digests).not.toContain(b?.file.digest);
  });

  test('can move a blob to another property', async () => {
    const file = await createFile(server, { content: 'moved' });
    const properties = { 'file:content': null, 'files:files': [{ file: { data: blobIn(file).data } }] };
    const { body } = await updateDocument(server.request, file.uid, properties).expect(200);
    expect(body.properties['file:content']).toBeNull();
    expect(body.properties['files:files'][0].file.digest).toBe(blobIn(file).digest);
  });

  test('costs no statement per blob', async () => {
    const costOf = async (contents: string[]) => {
      const { uid, properties } = await createWithFiles(server, contents);
      const changed = { 'files:files': properties['files:files'], 'dc:title': 'Changed' };
      return statements(await updateDocument(server.request, uid, changed).expect(200));
    };
    expect(await costOf(['a', 'b', 'c', 'd', 'e', 'f'])).toBe(await costOf(['a']));
  });
});

describe('§2.1 a blob address of another document', () => {
  test('copies the blob with PUT', async () => {
    const [one, other] = [
      await createFile(server, { content: 'one', name: 'one.txt' }),
      await createDocument(server),
    ];
    const { body } = await updateDocument(server.request, other.uid, { 'file:content': blobIn(one) }).expect(
      200,
    );
    expect(blobIn(body)).toMatchObject({ name: 'one.txt', digest: blobIn(one).digest });
    expect(blobIn(body).data).toContain(other.uid);
    expect(await blobRowsOf(server, other.uid)).toEqual({ 'file:content': blobIn(one).digest });
  });

  test('copies the blob with POST', async () => {
    const one = await createFile(server, { content: 'one' });
    const copy = await createFile(server, { data: blobIn(one).data });
    expect(await bytesOf(copy)).toBe('one');
  });

  test('makes a copy that remains when the other document is deleted', async () => {
    const one = await createFile(server, { content: 'outlives' });
    const copy = await createFile(server, { data: blobIn(one).data });
    await server.request.delete(`/api/v1/id/${one.uid}`).expect(204);
    expect(await bytesOf(copy)).toBe('outlives');
  });

  test('costs one statement for any number of blobs', async () => {
    const sources = await Promise.all(['a', 'b', 'c', 'd'].map((content) => createFile(server, { content })));
    const costOf = async (from: DocumentEntity[]) => {
      const { uid } = await createDocument(server);
      const files = from.map((source) => ({ file: { data: blobIn(source).data } }));
      return statements(await updateDocument(server.request, uid, { 'files:files': files }).expect(200));
    };
    expect(await costOf(sources)).toBe(await costOf(sources.slice(0, 1)));
  });
});

describe('§2.1 an invalid blob address is refused with 400', () => {
  const refused = async (data: string) => {
    const file = await createFile(server, { content: 'stays' });
    const { body } = await updateDocument(server.request, file.uid, { 'file:content': { data } }).expect(400);
    expect(body.message).toContain('file:content');
    expect(await bytesOf(await readDocument(server.request, file.uid))).toBe('stays');
  };

  test.each([
    ['a missing document', `http://h/api/v1/repo/default/id/${missing}/@blob/file:content`],
    ['a missing repository', `http://h/api/v1/repo/nowhere/id/${missing}/@blob/file:content`],
  ])('when it names %s', async (_, data) => refused(data));

  test.each([
    'file:nothing',
    'nothing',
    'dc:title',
    'files:files',
    'files:files/0/file',
    'file:content/name',
  ])('when it names %s of the document itself', async (xpath) => {
    const file = await createFile(server, { content: 'stays' });
    const data = blobIn(file).data.replace('file:content', xpath);
    const { body } = await updateDocument(server.request, file.uid, { 'file:content': { data } }).expect(400);
    expect(body.message).toContain(data);
  });

  test('when it names an unset blob of another document', async () => {
    const { uid } = await createDocument(server);
    await refused(`http://h/api/v1/repo/default/id/${uid}/@blob/file:content`);
  });

  test('when it names a document of another repository', async () => {
    const { body } = await server.request
      .post('/api/v1/repo/other/path/')
      .send({
        'entity-type': 'document',
        type: 'File',
        name: 'x',
        properties: { 'file:content': { content: 'x' } },
      })
      .expect(201);
    await refused(blobIn(body).data);
  });

  test.each([
    ['foreign address', 'https://example.org/report.pdf'],
    ['address of ours that is no blob', `http://h/api/v1/repo/default/id/${missing}`],
    ['id that is none', 'http://h/api/v1/id/------------------------------------/@blob/file:content'],
    ['xpath that is not percent-encoded well', `http://h/api/v1/id/${missing}/@blob/file:%ZZ`],
    ['text', 'garbage'],
    ['empty text', ''],
  ])('when it is a %s', async (_, data) => refused(data));
});
