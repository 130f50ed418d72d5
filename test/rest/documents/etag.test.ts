import { describe, expect, test } from '@jest/globals';
import { atId, atPath, createDocument, documentBody, workspaces } from '../../support/documents.ts';
import { exception } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { change, changedOnce } from './changes.ts';

const server = useServer();

describe('§4.1 ETag', () => {
  test('begins with the change token in every answer with a single document', async () => {
    const body = documentBody({ name: 'tagged', type: 'File' });
    const created = await server.request.post(atPath(workspaces)).send(body).expect(201);
    expect(created.headers.etag).toMatch(/^"0-0\b[^"]*"$/);
    const { path, uid } = created.body;
    const updated = await server.request.put(atPath(path)).send(change()).expect(200);
    expect(updated.headers.etag).toMatch(/^"0-1\b[^"]*"$/);
    const byPath = await server.request.get(atPath(path)).expect(200);
    const byId = await server.request.get(atId(uid)).expect(200);
    expect(byPath.headers.etag).toBe(updated.headers.etag);
    expect(byId.headers.etag).toBe(updated.headers.etag);
  });

  test('is sent with Cache-Control and Vary', async () => {
    const { headers } = await server.request.get(atPath(workspaces)).expect(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toMatch(/\bAuthorization\b/i);
  });

  test('differs between documents with the same change token', async () => {
    const [one, other] = [await createDocument(server), await createDocument(server)];
    const tagOf = async (path: string) => (await server.request.get(atPath(path))).headers.etag;
    expect(await tagOf(one.path)).not.toBe(await tagOf(other.path));
  });

  test('differs between selections of properties of one document', async () => {
    const whole = await server.request.get(atPath(workspaces)).expect(200);
    const part = await server.request.get(atPath(workspaces)).set('properties', 'dublincore').expect(200);
    expect(part.headers.etag).not.toBe(whole.headers.etag);
  });

  test('is not sent with errors', async () => {
    const { headers } = await server.request.get(atPath('/nothing')).expect(404);
    expect(headers).not.toHaveProperty('etag');
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('§4.1 If-None-Match', () => {
  const read = (path: string, tag: string) => server.request.get(atPath(path)).set('If-None-Match', tag);

  test('answers 304 without a body when an entity tag matches', async () => {
    const { path } = await createDocument(server);
    const { etag = '' } = (await server.request.get(atPath(path))).headers;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { text, headers } = await read(path, tag).expect(304);
      expect(text).toBeFalsy();
      expect(headers.etag).toBe(etag);
    }
    await server.request.head(atPath(path)).set('If-None-Match', etag).expect(304);
  });

  test('answers 200 when no entity tag matches', async () => {
    const { path } = await createDocument(server);
    const { etag = '' } = (await server.request.get(atPath(path))).headers;
    for (const tag of ['"other"', '"0-0"', 'nonsense', etag.replaceAll('"', '')])
      await read(path, tag).expect(200);
    await read(path, etag).set('properties', 'dublincore').expect(200);
    await server.request.put(atPath(path)).send(change()).expect(200);
    await read(path, etag).expect(200);
  });

  test('refuses writes with 412 when the document is in a state that it names', async () => {
    const { path, uid, title } = await changedOnce(server);
    const { etag = '' } = (await server.request.get(atPath(path))).headers;
    for (const tag of ['*', '"0-1"', etag, `"other", ${etag}`])
      for (const address of [atPath(path), atId(uid), `${atId(uid)}/@bo/File`]) {
        const { body } = await server.request
          .put(address)
          .set('If-None-Match', tag)
          .send(address.includes('@bo') ? { 'entity-type': 'File', value: {} } : change())
          .expect(412);
        expect(body.message).toContain(`If-None-Match: ${path}`);
      }
    await server.request.delete(atPath(path)).set('If-None-Match', '*').expect(412);
    expect((await server.request.get(atPath(path)).expect(200)).body).toMatchObject({ title });
    await server.request.put(atPath(path)).set('If-None-Match', '"0-0"').send(change()).expect(200);
    await server.request.put(atPath(path)).set('If-None-Match', 'nonsense').send(change()).expect(400);
  });

  test('with * lets a file be set where there is none', async () => {
    const { uid } = await createDocument(server);
    const put = () =>
      server.request
        .put(`${atId(uid)}/@blob/file:content`)
        .set('If-None-Match', '*')
        .attach('content', Buffer.from('one'), 'one.txt');
    await put().expect(200);
    const { body } = await put().expect(412);
    expect(body.message).toContain('has a blob at file:content');
  });

  test('answers 404 when the document does not exist', async () => {
    await read('/nothing', '*').expect(404);
    await server.request.put(atPath('/nothing')).set('If-None-Match', '*').send(change()).expect(404);
  });
});

describe('§4.1 If-Match', () => {
  test('accepts an update with the current entity tag', async () => {
    const { path } = await createDocument(server);
    const put = (tag: string) => server.request.put(atPath(path)).set('If-Match', tag).send(change());
    const { etag = '' } = (await server.request.get(atPath(path))).headers;
    const { etag: next = '' } = (await put(etag).expect(200)).headers;
    await put(`W/${next}`).expect(200);
    await put('"0-2"').expect(200);
    await put('"other", "0-3"').expect(200);
    await put('*').expect(200);
  });

  test('compares only the change token: the tag of another selection of properties matches', async () => {
    const { path } = await createDocument(server);
    const { headers } = await server.request.get(atPath(path)).set('properties', 'dublincore');
    await server.request
      .put(atPath(path))
      .set('If-Match', headers.etag ?? '')
      .send(change())
      .expect(200);
  });

  test.each(['"0-0"', '"1-1"', '"0-0-abc"', '"other"', '""', '"0-10"'])(
    'refuses updates and deletions with 412 when the tag is stale: %s',
    async (tag) => {
      const { path, title } = await changedOnce(server);
      const { body } = await server.request.put(atPath(path)).set('If-Match', tag).send(change()).expect(412);
      expect(body).toMatchObject(exception(412, expect.stringContaining('0-1')));
      await server.request.delete(atPath(path)).set('If-Match', tag).expect(412);
      expect((await server.request.get(atPath(path)).expect(200)).body).toMatchObject({
        title,
        changeToken: '0-1',
      });
    },
  );

  test('answers 400 when its value is not a list of entity tags', async () => {
    const { path } = await createDocument(server);
    for (const tag of ['0-0', "'0-0'", '']) {
      await server.request.put(atPath(path)).set('If-Match', tag).send(change()).expect(400);
      await server.request.delete(atPath(path)).set('If-Match', tag).expect(400);
    }
  });

  test('accepts a deletion with the current entity tag', async () => {
    const { path, uid } = await changedOnce(server);
    const { etag = '' } = (await server.request.get(atPath(path))).headers;
    await server.request.delete(atId(uid)).set('If-Match', etag).expect(204);
  });

  test('applies to GET, too', async () => {
    const { path } = await changedOnce(server);
    await server.request.get(atPath(path)).set('If-Match', '"0-1"').expect(200);
    await server.request.get(atPath(path)).set('If-Match', '"0-0"').expect(412);
  });

  test('answers 404 when the document does not exist', async () => {
    await server.request.put(atPath('/nothing')).set('If-Match', '*').send(change()).expect(404);
    await server.request.delete(atPath('/nothing')).set('If-Match', '"0-0"').expect(404);
  });
});
