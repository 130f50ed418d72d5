import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();
checkConsistency(server);

interface Answer {
  readonly etag: string;
  readonly latest: readonly [latest: boolean | undefined, major: boolean | undefined];
}

/** Reads a version: its ETag and whether it is the latest one. */
async function answerOf(uid: string): Promise<Answer> {
  const { body, headers } = await server.request.get(`/api/v1/id/${uid}`).expect(200);
  const { isLatestVersion, isLatestMajorVersion } = body as DocumentEntity;
  return { etag: headers.etag ?? '', latest: [isLatestVersion, isLatestMajorVersion] };
}

const again = (uid: string, { etag }: Answer) =>
  server.request.get(`/api/v1/id/${uid}`).set('If-None-Match', etag);

let count = 0;
/** Creates the next version of a document and returns its id. */
async function version(live: string, increment: 'MINOR' | 'MAJOR'): Promise<string> {
  count += 1;
  const headers = { 'X-Versioning-Option': increment };
  return (await updateDocument(server.request, live, { 'dc:title': `${count}` }, headers).expect(200)).body
    .uid;
}

describe('§4.1, §11 the ETag of a version', () => {
  test('changes when a later version becomes the latest', async () => {
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

  test('changes when the version becomes the latest again by the deletion of a later one', async () => {
    const { uid } = await createDocument(server);
    const [major, minor, last] = [
      await version(uid, 'MAJOR'),
      await version(uid, 'MINOR'),
      await version(uid, 'MAJOR'),
    ];
    await updateDocument(server.request, uid, { 'dc:title': 'checked out' }).expect(200);
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

  test('does not change when an older version is deleted', async () => {
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

  test('does not change while the version stays the latest major version', async () => {
    const { uid } = await createDocument(server);
    const [major, minor] = [await version(uid, 'MAJOR'), await version(uid, 'MINOR')];
    const [, last] = [await version(uid, 'MINOR'), await version(uid, 'MINOR')];
    await updateDocument(server.request, uid, { 'dc:title': 'checked out' }).expect(200);
    const [before, middle] = [await answerOf(major), await answerOf(minor)];
    await server.request.delete(`/api/v1/id/${last}`).expect(204);
    await again(major, before).expect(304);
    await again(minor, middle).expect(304);
  });
});
