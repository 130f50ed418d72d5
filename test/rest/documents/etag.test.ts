import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, type TestServer } from '../../support/server.ts';
import { at, atId, entity, exception, workspaces } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());

let titles = 0;
const change = () => {
  titles += 1;
  return entity({ properties: { 'dc:title': `title ${titles}` } });
};

/** A document that was changed once, so that it is at 0-1. */
async function changedOnce(): Promise<DocumentEntity> {
  const { path } = await createDocument(server);
  return (await server.request.put(at(path)).send(change()).expect(200)).body;
}

describe('§4.1 ETag', () => {
  test('begins with the change token in every answer with one document', async () => {
    const body = entity({ name: 'tagged', type: 'File' });
    const created = await server.request.post(at(workspaces)).send(body).expect(201);
    expect(created.headers.etag).toMatch(/^"0-0\b[^"]*"$/);
    const { path, uid } = created.body;
    const updated = await server.request.put(at(path)).send(change()).expect(200);
    expect(updated.headers.etag).toMatch(/^"0-1\b[^"]*"$/);
    const byPath = await server.request.get(at(path)).expect(200);
    const byId = await server.request.get(atId(uid)).expect(200);
    expect(byPath.headers.etag).toBe(updated.headers.etag);
    expect(byId.headers.etag).toBe(updated.headers.etag);
  });

  test('comes with Cache-Control and Vary', async () => {
    const { headers } = await server.request.get(at(workspaces)).expect(200);
    expect(headers['cache-control']).toBe('private, no-cache');
    expect(headers.vary).toMatch(/\bAuthorization\b/i);
  });

  test('differs between documents that are equally old', async () => {
    const [one, other] = [await createDocument(server), await createDocument(server)];
    const tagOf = async (path: string) => (await server.request.get(at(path))).headers.etag;
    expect(await tagOf(one.path)).not.toBe(await tagOf(other.path));
  });

  test('differs between shapes of one document', async () => {
    const whole = await server.request.get(at(workspaces)).expect(200);
    const part = await server.request.get(at(workspaces)).set('properties', 'dublincore').expect(200);
    expect(part.headers.etag).not.toBe(whole.headers.etag);
  });

  test('is not there on errors', async () => {
    const { headers } = await server.request.get(at('/nothing')).expect(404);
    expect(headers).not.toHaveProperty('etag');
    expect(headers['cache-control']).toBe('no-store');
  });
});

describe('§4.1 If-None-Match', () => {
  const read = (path: string, tag: string) => server.request.get(at(path)).set('If-None-Match', tag);

  test('answers 304 without a body to whoever has the answer', async () => {
    const { path } = await createDocument(server);
    const { etag = '' } = (await server.request.get(at(path))).headers;
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const { text, headers } = await read(path, tag).expect(304);
      expect(text).toBeFalsy();
      expect(headers.etag).toBe(etag);
    }
    await server.request.head(at(path)).set('If-None-Match', etag).expect(304);
  });

  test('answers 200 to others', async () => {
    const { path } = await createDocument(server);
    const { etag = '' } = (await server.request.get(at(path))).headers;
    for (const tag of ['"other"', '"0-0"', 'nonsense', etag.replaceAll('"', '')])
      await read(path, tag).expect(200);
    await read(path, etag).set('properties', 'dublincore').expect(200);
    await server.request.put(at(path)).send(change()).expect(200);
    await read(path, etag).expect(200);
  });

  test('has no effect on writes', async () => {
    const { path } = await createDocument(server);
    await server.request.put(at(path)).set('If-None-Match', '*').send(change()).expect(200);
    await server.request.delete(at(path)).set('If-None-Match', '*').expect(204);
  });

  test('of what is not there is 404', async () => {
    await read('/nothing', '*').expect(404);
  });
});

describe('§4.1 If-Match', () => {
  test('lets a change pass that knows the current state', async () => {
    const { path } = await createDocument(server);
    const put = (tag: string) => server.request.put(at(path)).set('If-Match', tag).send(change());
    const { etag = '' } = (await server.request.get(at(path))).headers;
    const { etag: next = '' } = (await put(etag).expect(200)).headers;
    await put(`W/${next}`).expect(200);
    await put('"0-2"').expect(200);
    await put('"other", "0-3"').expect(200);
    await put('*').expect(200);
  });

  test('compares the change token only: the tag of another shape will do', async () => {
    const { path } = await createDocument(server);
    const { headers } = await server.request.get(at(path)).set('properties', 'dublincore');
    await server.request
      .put(at(path))
      .set('If-Match', headers.etag ?? '')
      .send(change())
      .expect(200);
  });

  test.each(['"0-0"', '"1-1"', '"0-0-abc"', '"other"', '""', '"0-10"'])(
    'that is stale stops a change and a deletion with 412: %s',
    async (tag) => {
      const { path, title } = await changedOnce();
      const { body } = await server.request.put(at(path)).set('If-Match', tag).send(change()).expect(412);
      expect(body).toMatchObject(exception(412, expect.stringContaining('0-1')));
      await server.request.delete(at(path)).set('If-Match', tag).expect(412);
      expect((await server.request.get(at(path)).expect(200)).body).toMatchObject({
        title,
        changeToken: '0-1',
      });
    },
  );

  test('that is no list of entity tags is refused', async () => {
    const { path } = await createDocument(server);
    for (const tag of ['0-0', "'0-0'", '']) {
      await server.request.put(at(path)).set('If-Match', tag).send(change()).expect(400);
      await server.request.delete(at(path)).set('If-Match', tag).expect(400);
    }
  });

  test('lets a deletion pass that knows the current state', async () => {
    const { path, uid } = await changedOnce();
    const { etag = '' } = (await server.request.get(at(path))).headers;
    await server.request.delete(atId(uid)).set('If-Match', etag).expect(204);
  });

  test('counts on reads, too', async () => {
    const { path } = await changedOnce();
    await server.request.get(at(path)).set('If-Match', '"0-1"').expect(200);
    await server.request.get(at(path)).set('If-Match', '"0-0"').expect(412);
  });

  test('of what is not there is 404', async () => {
    await server.request.put(at('/nothing')).set('If-Match', '*').send(change()).expect(404);
    await server.request.delete(at('/nothing')).set('If-Match', '"0-0"').expect(404);
  });
});
