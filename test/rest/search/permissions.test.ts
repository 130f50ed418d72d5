import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { namesWhere, search } from './search-requests.ts';

let server: TestServer;
let folder: DocumentEntity;
let ann: TestServer['request'];
let bob: TestServer['request'];

const run = (operation: string, input: string, params: object = {}) =>
  server.request.post(`/api/v1/automation/${operation}`).send({ input, params });

const aces: Record<string, Parameters<typeof setAcl>[2]> = {
  open: [],
  closed: [deny('Everyone', 'Everything')],
  own: [grant('ann', 'Read'), deny('Everyone', 'Everything')],
  browsed: [grant('ann', 'Browse'), deny('Everyone', 'Everything')],
  over: [{ ...grant('ann', 'Read'), end: '2001-01-01T00:00:00.000Z' }, deny('Everyone', 'Everything')],
};

beforeAll(async () => {
  server = await start();
  await createUser(server, 'ann', ['members']);
  await createUser(server, 'bob', ['members']);
  [ann, bob] = [as(server, 'ann'), as(server, 'bob')];
  folder = await createDocument(server, { type: 'Folder', name: 'guarded' });
  for (const [name, list] of Object.entries(aces)) {
    const { path, uid } = await createDocument(server, { parent: folder.path, name });
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    if (list.length > 0) await setAcl(server, path, list);
  }
});
afterAll(() => server.stop());

const live = () => `ecm:parentId = '${folder.uid}'`;

describe('§2.5, §4.7 what searches find', () => {
  test('is what one may read, and nothing else is counted', async () => {
    expect(await namesWhere(server.request, live())).toEqual(['browsed', 'closed', 'open', 'over', 'own']);
    expect(await namesWhere(ann, live())).toEqual(['open', 'own']);
    expect(await namesWhere(bob, live())).toEqual(['open']);
  });

  test('is what one may GET, document by document', async () => {
    const { body } = await search(
      server.request,
      `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.uid}'`,
    );
    const all = body.entries as DocumentEntity[];
    expect(all).toHaveLength(10);
    const mine = await search(ann, `SELECT * FROM Document WHERE ecm:ancestorId = '${folder.uid}'`).expect(
      200,
    );
    const found = mine.body.entries.map(({ uid }: DocumentEntity) => uid);
    for (const { uid } of all) {
      const { status } = await ann.get(`/api/v1/id/${uid}`);
      expect([uid, status]).toEqual([uid, found.includes(uid) ? 200 : 403]);
    }
  });

  test('has versions by a permission of their own', async () => {
    const { path, uid } = await createDocument(server, { type: 'File', name: 'versioned' });
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    await setAcl(server, path, [grant('bob', 'ReadVersion'), deny('Everyone', 'Everything')]);
    const any = `(ecm:uuid = '${uid}' OR ecm:versionVersionableId = '${uid}')`;
    expect(await namesWhere(bob, `${any} AND ecm:isVersion = 1`)).toEqual(['versioned']);
    expect(await namesWhere(bob, `${any} AND ecm:isVersion = 0`)).toEqual([]);
    expect(await namesWhere(ann, any)).toEqual([]);
  });

  test('does not depend on collections that one may not read', async () => {
    const { uid } = await createDocument(server, { parent: folder.path, name: 'member' });
    const { uid: collection, path } = await createDocument(server, { type: 'Collection' });
    await run('Document.AddToCollection', uid, { collection }).expect(200);
    const where = `collectionMember:collectionIds/* = '${collection}'`;
    expect(await namesWhere(bob, where)).toEqual(['member']);
    await setAcl(server, path, [deny('members', 'Everything')]);
    expect(await namesWhere(bob, where)).toEqual([]);
    expect(
      await namesWhere(bob, `ecm:uuid = '${uid}' AND collectionMember:collectionIds IS NOT NULL`),
    ).toEqual([]);
    expect(await namesWhere(server.request, where)).toEqual(['member']);
  });

  test('costs one statement whoever asks', async () => {
    const query = `SELECT * FROM Document WHERE ${live()} AND ecm:name IN ('open', 'own') ORDER BY dc:title`;
    expect((await search(ann, query).expect(200)).body.resultsCount).toBe(2);
    expect(statements(await search(ann, query).expect(200))).toBe(1);
  });

  test('is of the repository that was asked alone', async () => {
    await search(server.request, 'SELECT * FROM Document').set('Repository', 'other').expect(404);
  });
});
