import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { namesWhere, search } from './search-requests.ts';

const server = useServer();
let folder: DocumentEntity;
let ann: TestServer['request'];
let bob: TestServer['request'];

const run = calling(server);

const aces: Record<string, Parameters<typeof setAcl>[2]> = {
  open: [],
  closed: [deny('Everyone', 'Everything')],
  own: [grant('ann', 'Read'), deny('Everyone', 'Everything')],
  browsed: [grant('ann', 'Browse'), deny('Everyone', 'Everything')],
  over: [{ ...grant('ann', 'Read'), end: '2001-01-01T00:00:00.000Z' }, deny('Everyone', 'Everything')],
};

beforeAll(async () => {
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

const live = () => `ecm:parentId = '${folder.uid}'`;

describe('§2.5, §4.7 the results of a search', () => {
  test('contain and count only documents that the user can read', async () => {
    expect(await namesWhere(server.request, live())).toEqual(['browsed', 'closed', 'open', 'over', 'own']);
    expect(await namesWhere(ann, live())).toEqual(['open', 'own']);
    expect(await namesWhere(bob, live())).toEqual(['open']);
  });

  test('are exactly the documents that GET returns to the user', async () => {
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

  test('contain versions by the permission ReadVersion', async () => {
    const { path, uid } = await createDocument(server, { type: 'File', name: 'versioned' });
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    await setAcl(server, path, [grant('bob', 'ReadVersion'), deny('Everyone', 'Everything')]);
    const any = `(ecm:uuid = '${uid}' OR ecm:versionVersionableId = '${uid}')`;
    expect(await namesWhere(bob, `${any} AND ecm:isVersion = 1`)).toEqual(['versioned']);
    expect(await namesWhere(bob, `${any} AND ecm:isVersion = 0`)).toEqual([]);
    expect(await namesWhere(ann, any)).toEqual([]);
  });

  test.each([0, 150, 1_100])('are the same to a user whom %i more ACLs name', async (count) => {
    const { path, uid } = await createDocument(server, { parent: folder.path, name: `one-of-${count}` });
    await run('Document.CreateVersion', uid, { increment: 'Minor' }).expect(200);
    await setAcl(server, path, [grant('ann', 'ReadVersion'), deny('Everyone', 'Everything')]);
    await server.database.query(
      {
        name: '',
        text: `INSERT INTO effective_acl (repository, id, entries)
          SELECT 'default', gen_random_uuid(), '[{"username": "ann", "permission": "Read", "granted": true}]'
          FROM generate_series(1, $1)`,
      },
      [count],
    );
    const any = `ecm:ancestorId = '${folder.uid}'`;
    expect(await namesWhere(ann, `${any} AND ecm:isVersion = 0`)).toEqual(['open', 'own']);
    expect(await namesWhere(ann, `${any} AND ecm:isVersion = 1 AND ecm:name <> 'open'`)).toEqual([
      `one-of-${count}`,
      'own',
    ]);
    const title = `SELECT * FROM Document WHERE ${any} ORDER BY dc:title`;
    expect((await search(ann, title).expect(200)).body.resultsCount).toBe(5);
    expect(statements(await search(ann, title).expect(200))).toBe(3);
    await run('Document.Delete', uid, {}).expect(204);
    await server.database.query(
      {
        name: '',
        text: 'DELETE FROM effective_acl a WHERE NOT EXISTS (SELECT FROM document d WHERE d.acl_id = a.id)',
      },
      [],
    );
  });

  test('do not depend on collections that the user cannot read', async () => {
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

  test('cost three SQL statements for users without administration rights, one for their ACLs', async () => {
    const query = `SELECT * FROM Document WHERE ${live()} AND ecm:name IN ('open', 'own') ORDER BY dc:title`;
    expect((await search(ann, query).expect(200)).body.resultsCount).toBe(2);
    expect(statements(await search(ann, query).expect(200))).toBe(3);
  });

  test('are limited to the requested repository; an unknown one answers 404', async () => {
    await search(server.request, 'SELECT * FROM Document').set('Repository', 'other').expect(404);
  });
});
