import { writeFile } from 'node:fs/promises';
import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { blobFile } from '../../support/blob-file.ts';
import { createDocument, readDocument } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { eventsOf } from '../audit/audit-requests.ts';
import { bodyOf, filePart, sendBody } from '../automation/multipart-bodies.ts';
import { blobIn, blobRowsOf, createFile, createWithFiles, download } from './blob-requests.ts';

const server = useServer({ UPLOAD_LIMIT: '1mb' });
const bob = useUser(server, 'bob');

const at = (uid: string, xpath = 'file:content') => `/api/v1/id/${uid}/@blob/${xpath}`;
const file = (bytes: string, name = 'a.txt', type = 'text/plain') =>
  filePart('form-data', name, Buffer.from(bytes), type);

const put = (address: string, parts = [file('new bytes')], who = server.request) =>
  sendBody(who.put(address), 'form-data', bodyOf(parts));

const bytesAt = async (address: string) =>
  ((await download(server, address).expect(200)).body as Buffer).toString();

/** The events of a document, without its downloads, which the journal writes a second later. */
const writesOf = async (document: Parameters<typeof eventsOf>[1]): Promise<string[]> =>
  (await eventsOf(server, document)).filter((event) => event !== 'download');

describe('PUT …/@blob/XPATH', () => {
  test('stores the file anew where the bytes in the store are damaged (§4.3)', async () => {
    const { uid } = await createDocument(server);
    await put(at(uid), [file('sound bytes')]).expect(200);
    const { digest } = blobIn(await readDocument(server.request, uid));
    for (const damaged of ['sound', 'SOUND bytes']) {
      await writeFile(blobFile(server, digest), damaged);
      await put(at(uid), [file('sound bytes')]).expect(200);
      expect(await bytesAt(at(uid))).toBe('sound bytes');
    }
  });

  test('stores the file of a form as the blob', async () => {
    const { uid, path } = await createDocument(server);
    const response = await put(at(uid), [file('grüße', 'Grüße.md', 'text/markdown; charset=utf-8')]).expect(
      200,
    );
    expect(response.text).toBe('blob updated');
    expect(response.headers['content-type']).toMatch(/^text\/plain/);
    const document = await readDocument(server.request, uid);
    expect(blobIn(document)).toMatchObject({
      name: 'Grüße.md',
      'mime-type': 'text/markdown',
      encoding: 'utf-8',
      length: '7',
    });
    expect(document.changeToken).toBe('0-1');
    expect(await bytesAt(at(uid))).toBe('grüße');
    expect(await blobRowsOf(server, uid)).toEqual({ 'file:content': blobIn(document).digest });
    expect(await writesOf(document)).toEqual(['documentModified', 'documentCreated']);
    await put(`/api/v1/path${path}/@blob/file:content`, [file('by path')]).expect(200);
    expect(await bytesAt(at(uid))).toBe('by path');
  });

  test.each(['', '/blobholder:0'])('replaces the main blob at @blob%s', async (place) => {
    const { uid } = await createFile(server, { content: 'old' });
    await put(`/api/v1/id/${uid}/@blob${place}`).expect(200);
    expect(await bytesAt(at(uid))).toBe('new bytes');
  });

  test('replaces and removes a blob by its position', async () => {
    const { uid } = await createWithFiles(server, ['one', 'two']);
    await put(`/api/v1/id/${uid}/@blob/blobholder:2`).expect(200);
    expect(await bytesAt(`/api/v1/id/${uid}/@blob/files:files/1/file`)).toBe('new bytes');
    expect(await bytesAt(`/api/v1/id/${uid}/@blob/blobholder:1`)).toBe('one');
    await put(`/api/v1/id/${uid}/@blob/blobholder:9`).expect(400);
  });

  test('replaces only the addressed blob of a list', async () => {
    const { uid } = await createWithFiles(server, ['one', 'two', 'three']);
    await put(at(uid, 'files:files/1/file')).expect(200);
    const contents = [0, 1, 2].map((index) => bytesAt(at(uid, `files:files/${index}/file`)));
    expect(await Promise.all(contents)).toEqual(['one', 'new bytes', 'three']);
  });

  test('creates a version with X-Versioning-Option, and answers 204 with X-SvcVoidOperation', async () => {
    const { uid } = await createFile(server, { content: 'old' });
    await put(at(uid)).set('X-Versioning-Option', 'MAJOR').set('X-SvcVoidOperation', 'true').expect(204);
    const { properties } = await readDocument(server.request, uid);
    expect(properties).toMatchObject({ 'uid:major_version': 1, 'file:content': { length: '9' } });
  });

  test('is done once per Idempotency-Key', async () => {
    const { uid } = await createFile(server, { content: 'old' });
    const again = (bytes: string) => put(at(uid), [file(bytes)]).set('Idempotency-Key', `put-${uid}`);
    for (const _ of [1, 2]) expect((await again('new').expect(200)).text).toBe('blob updated');
    await again('other').expect(422);
    expect((await readDocument(server.request, uid)).changeToken).toBe('0-1');
  });

  test.each([
    ['a place that holds no blob', 'dc:title', 400],
    ['a list of blobs', 'files:files', 400],
    ['an item of a list that is no blob', 'files:files/0', 400],
    ['a part of a blob', 'file:content/name', 400],
    ['an item that there is not', 'files:files/7/file', 400],
    ['an unknown property', 'odd:odd', 400],
  ])('refuses %s and writes nothing', async (_, xpath, status) => {
    const { uid, changeToken } = await createWithFiles(server, ['one']);
    const { body } = await put(at(uid, xpath)).expect(status);
    expect(body.message).toContain(xpath);
    expect((await readDocument(server.request, uid)).changeToken).toBe(changeToken);
  });

  test.each([
    ['no part', [], /must contain one file/],
    ['two parts', [file('a'), file('b')], /must contain only one file/],
  ])('answers 400 for a form with %s', async (_, parts, message) => {
    const { uid } = await createFile(server, { content: 'old' });
    const { body } = await put(at(uid), parts).expect(400);
    expect(body.message).toMatch(message);
    expect(await bytesAt(at(uid))).toBe('old');
  });

  test('answers 415 to a compressed body, 400 without a body, 413 when it is too large', async () => {
    const { uid } = await createFile(server, { content: 'old' });
    await server.request.put(at(uid)).set('Content-Encoding', 'gzip').send('x').expect(415);
    await server.request.put(at(uid)).expect(400);
    await server.request.put(at(uid)).type('text/plain').send('x'.repeat(1_100_000)).expect(413);
    await put(at(uid), [file('x'.repeat(1_100_000))]).expect(413);
    await put(at('00000000-0000-4000-8000-000000000000')).expect(404);
    expect(await bytesAt(at(uid))).toBe('old');
  });
});

describe('PUT …/@blob/XPATH with the bytes of the file', () => {
  const bytes = Buffer.from('tiny text');

  test.each([
    ['application/pdf', { 'X-File-Name': 'a%20b%C3%A9.pdf' }, 'a bé.pdf', 'application/pdf'],
    [
      'application/json',
      { 'Content-Disposition': 'attachment; filename="c.json"' },
      'c.json',
      'application/json',
    ],
    [
      'text/plain',
      { 'Content-Disposition': "attachment; filename*=UTF-8''%C3%A9.txt" },
      'é.txt',
      'text/plain',
    ],
    ['application/x-www-form-urlencoded', { 'X-File-Name': 'd.csv' }, 'd.csv', 'text/csv'],
    ['application/octet-stream', { 'X-File-Name': 'e', 'X-File-Type': 'text/x-own' }, 'e', 'text/x-own'],
  ])('takes %s with %j', async (type, headers, name, mimeType) => {
    const { uid } = await createFile(server, { content: 'old' });
    await server.request.put(at(uid)).type(type).set(headers).send(bytes.toString()).expect(200);
    expect(blobIn(await readDocument(server.request, uid))).toMatchObject({
      name,
      'mime-type': mimeType,
      length: String(bytes.length),
    });
    expect(await bytesAt(at(uid))).toBe(bytes.toString());
  });

  test('is guarded, conditional and silent like a form', async () => {
    const { uid, path } = await createFile(server, { content: 'old' });
    const send = (who = server.request) => who.put(`/api/v1/path${path}/@blob`).type('text/plain');
    await setAcl(server, path, [grant('bob', 'Read')]);
    await send(bob).send('x').expect(403);
    await send().set('If-Match', '"9-9"').send('x').expect(412);
    await send().set('If-None-Match', '*').send('x').expect(412);
    await send().set('X-File-Name', '%').send('x').expect(400);
    expect(await bytesAt(at(uid))).toBe('old');
    expect((await send().set('X-SvcVoidOperation', 'true').send('new').expect(204)).text).toBe('');
    expect(await bytesAt(at(uid))).toBe('new');
  });
});

describe('DELETE …/@blob/XPATH', () => {
  test.each(['/file:content', '', '/blobholder:0'])(
    'clears the blob at @blob%s and answers 204',
    async (place) => {
      const { uid } = await createFile(server, { content: 'old' });
      const address = `/api/v1/id/${uid}/@blob${place}`;
      expect((await server.request.delete(address).expect(204)).text).toBe('');
      const document = await readDocument(server.request, uid);
      expect(document.properties['file:content']).toBeNull();
      expect(await blobRowsOf(server, uid)).toEqual({});
      expect(await writesOf(document)).toEqual(['documentModified', 'documentCreated']);
      expect((await server.request.delete(address).expect(404)).body.message).toContain('has no blob');
      await server.request.get(address).expect(404);
    },
  );

  test('keeps the other blobs of a list at their index', async () => {
    const { uid } = await createWithFiles(server, ['one', 'two']);
    await server.request.delete(at(uid, 'files:files/0/file')).expect(204);
    const { properties } = await readDocument(server.request, uid);
    expect(properties['files:files']).toMatchObject([{ file: null }, { file: { length: '3' } }]);
  });

  test.each(['dc:title', 'files:files', 'odd:odd', 'file:content/name'])(
    'answers 400 for %s',
    async (xpath) => {
      const { uid } = await createWithFiles(server, ['one']);
      await server.request.delete(at(uid, xpath)).expect(400);
    },
  );

  test('answers 400 for the text of a note', async () => {
    const { uid } = await createDocument(server, { type: 'Note', properties: { 'note:note': 'x' } });
    for (const place of ['', '/note:note'])
      await server.request.delete(`/api/v1/id/${uid}/@blob${place}`).expect(400);
  });
});

describe.each(['PUT', 'DELETE'])('%s of a blob', (method) => {
  const ask = (uid: string, who = server.request) =>
    method === 'PUT' ? put(at(uid), undefined, who) : who.delete(at(uid));
  const done = method === 'PUT' ? 200 : 204;

  test('needs WriteProperties only (§2.5)', async () => {
    const { uid, path } = await createFile(server, { content: 'old' });
    const nobody = deny('Everyone', 'Everything');
    await setAcl(server, path, [grant('bob', 'Read'), nobody]);
    const { body } = await ask(uid, bob).expect(403);
    expect(body.message).toBe(
      `Privilege 'WriteProperties' is not granted to 'bob' on the document at ${path}.`,
    );
    expect(await bytesAt(at(uid))).toBe('old');
    await setAcl(server, path, [grant('bob', 'WriteProperties'), nobody]);
    await ask(uid, bob).expect(done);
  });

  test('answers 412 when If-Match does not match the document', async () => {
    const { uid } = await createFile(server, { content: 'old' });
    await ask(uid).set('If-Match', '"0-7"').expect(412);
    await ask(uid).set('If-Match', '"0-0"').expect(done);
  });

  test('answers 400 for a version', async () => {
    const { uid } = await createFile(server, { content: 'old' });
    const { body } = await server.request
      .put(`/api/v1/id/${uid}`)
      .set('X-Versioning-Option', 'MINOR')
      .send({ 'entity-type': 'document' })
      .expect(200);
    await ask(body.uid).expect(400);
  });

  test('costs the same number of statements for many blobs as for few', async () => {
    const cost = async (contents: string[]) => {
      const { uid } = await createWithFiles(server, contents);
      const address = at(uid, 'files:files/0/file');
      return statements(
        await (method === 'PUT' ? put(address) : server.request.delete(address)).expect(done),
      );
    };
    expect(await cost(['a', 'b', 'c', 'd', 'e'])).toBe(await cost(['a', 'b']));
  });
});
