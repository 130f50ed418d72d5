import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, documentBody } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { blobIn, download } from '../blobs/blob-requests.ts';

const server = useServer({ UPLOAD_LIMIT: '1mb' });
const bob = useUser(server, 'bob');

const json = (fields: object = {}) => JSON.stringify(documentBody({ type: 'File', name: 'a', ...fields }));

describe('§4.1 POST of a document as a form', () => {
  test.each(['id', 'path'])('creates it with its file, by %s', async (by) => {
    const { uid, path } = await createDocument(server, { type: 'Folder' });
    const { body } = await server.request
      .post(by === 'id' ? atId(uid) : atPath(path))
      .field('document', json({ properties: { 'dc:title': 'A' } }), { contentType: 'application/json' })
      .attach('file', Buffer.from('bytes'), { filename: 'é.txt', contentType: 'text/plain' })
      .expect(201);
    expect(body).toMatchObject({ type: 'File', title: 'A', path: `${path}/a` });
    expect(blobIn(body)).toMatchObject({ name: 'é.txt', 'mime-type': 'text/plain', length: '5' });
    const { body: bytes } = await download(server, `${atId(body.uid)}/@blob`).expect(200);
    expect(String(bytes)).toBe('bytes');
  });

  test('takes the JSON without a file, and in any order', async () => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const post = () => server.request.post(atId(uid));
    const plain = await post().field('document', json()).expect(201);
    expect(blobIn(plain.body)).toBeNull();
    const turned = await post()
      .attach('file', Buffer.from('x'), 'b.txt')
      .field('document', json())
      .expect(201);
    expect(blobIn(turned.body)).toMatchObject({ name: 'b.txt' });
  });

  test('refuses forms without JSON or with two files, types without a file, and strangers', async () => {
    const { uid } = await createDocument(server, { type: 'Folder' });
    const post = (who = server.request) => who.post(atId(uid));
    const form = (sent = post(), fields = {}) =>
      sent.field('document', json(fields)).attach('file', Buffer.from('x'), 'b.txt');
    await post().attach('file', Buffer.from('x'), 'b.txt').expect(400);
    await form().attach('other', Buffer.from('y'), 'c.txt').expect(400);
    await form(post(), { type: 'Folder' }).expect(400);
    await form(post(), { type: undefined }).expect(400);
    await form(post(bob)).expect(403);
    await post().field('document', json()).attach('file', Buffer.alloc(1_100_000), 'b.txt').expect(413);
    await post().type('text/plain').send('x').expect(415);
    const { body } = await server.request.get(`${atId(uid)}/@children`).expect(200);
    expect(body.resultsCount).toBe(0);
  });
});
