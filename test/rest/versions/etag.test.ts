import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { contradictions } from '../../store/consistency.ts';
import { createDocument } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { put, type State } from './requests.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
});
afterAll(() => server.stop());
afterEach(async () => {
  expect(await contradictions(server)).toEqual([]);
});

interface Answer {
  readonly etag: string;
  readonly latest: readonly [latest: boolean | undefined, major: boolean | undefined];
}

/** What a version answers, and the tag of that answer. */
async function answerOf(uid: string): Promise<Answer> {
  const { body, headers } = await server.request.get(`/api/v1/id/${uid}`).expect(200);
  const { isLatestVersion, isLatestMajorVersion } = body as State;
  return { etag: headers.etag ?? '', latest: [isLatestVersion, isLatestMajorVersion] };
}

const again = (uid: string, { etag }: Answer) =>
  server.request.get(`/api/v1/id/${uid}`).set('If-None-Match', etag);

let count = 0;
/** The next version of a document. */
async function version(live: string, increment: 'MINOR' | 'MAJOR'): Promise<string> {
  count += 1;
  const headers = { 'X-Versioning-Option': increment };
  return (await put(server.request, live, { 'dc:title': `${count}` }, headers).expect(200)).body.uid;
}

describe('the ETag of a version (§4.1, §11)', () => {
  test('is another one once a later version is the latest', async () => {
    const { uid } = await createDocument(server);
    const one = await version(uid, 'MAJOR');
    const first = await answerOf(one);
    expect(first.latest).toEqual([true, true]);
    await again(one, first).expect(304);

    await version(uid, 'MINOR');
    const second = await answerOf(one);
    expect(second.latest).toEqual([false, true]);
    expect((await again(one, first).expect(200)).headers.etag).toBe(second.etag);
    expect(second.etag).not.toBe(first.etag);

    await version(uid, 'MINOR');
    await again(one, second).expect(304);

    await version(uid, 'MAJOR');
    expect((await answerOf(one)).latest).toEqual([false, false]);
    await again(one, second).expect(200);
  });

  test('is another one once it is the latest again, since a later one was deleted', async () => {
    const { uid } = await createDocument(server);
    const [major, minor, last] = [
      await version(uid, 'MAJOR'),
      await version(uid, 'MINOR'),
      await version(uid, 'MAJOR'),
    ];
    await put(server.request, uid, { 'dc:title': 'checked out' }).expect(200);
    const [older, old] = [await answerOf(major), await answerOf(minor)];
    expect([older.latest, old.latest]).toEqual([
      [false, false],
      [false, false],
    ]);
    const deleted = await server.request.delete(`/api/v1/id/${last}`).expect(204);
    await again(major, older).expect(200);
    await again(minor, old).expect(200);
    const [latestMajor, latest] = [await answerOf(major), await answerOf(minor)];
    expect([latestMajor.latest, latest.latest]).toEqual([
      [false, true],
      [true, false],
    ]);

    const next = await server.request.delete(`/api/v1/id/${minor}`).expect(204);
    expect(statements(next)).toBe(statements(deleted));
    await again(major, latestMajor).expect(200);
    expect((await answerOf(major)).latest).toEqual([true, true]);
  });

  test('stays when a version is deleted that nothing was the latest by', async () => {
    const { uid } = await createDocument(server);
    const [first, , last] = [
      await version(uid, 'MINOR'),
      await version(uid, 'MINOR'),
      await version(uid, 'MAJOR'),
    ];
    const before = await answerOf(last);
    await server.request.delete(`/api/v1/id/${first}`).expect(204);
    await again(last, before).expect(304);
  });

  test('stays of the one that is still the latest with minor number 0', async () => {
    const { uid } = await createDocument(server);
    const [major, minor] = [await version(uid, 'MAJOR'), await version(uid, 'MINOR')];
    const [, last] = [await version(uid, 'MINOR'), await version(uid, 'MINOR')];
    await put(server.request, uid, { 'dc:title': 'checked out' }).expect(200);
    const [before, middle] = [await answerOf(major), await answerOf(minor)];
    await server.request.delete(`/api/v1/id/${last}`).expect(204);
    await again(major, before).expect(304);
    await again(minor, middle).expect(304);
  });
});
