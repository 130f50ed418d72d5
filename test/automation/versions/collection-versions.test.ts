import { describe, expect, test } from '@jest/globals';
import { namesWhere } from '../../rest/search/search-requests.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';

const server = useServer();
checkConsistency(server);

const run = async (id: string, input: unknown, params: Record<string, unknown> = {}) =>
  (await call(server.request, id, { input, params }).expect(200)).body;
const read = (uid: string, who = server.request) => readDocument(who, uid);
const membersOf = async (uid: string): Promise<string[]> =>
  (await run('Collection.GetDocumentsFromCollection', uid)).entries.map(
    (document: DocumentEntity) => document.uid,
  );
const collectionsOf = async (uid: string) => (await read(uid)).properties['collectionMember:collectionIds'];

/** A collection of three documents, checked in. */
async function checkedIn() {
  const collection = await createDocument(server, { type: 'Collection' });
  const members: string[] = [];
  for (let index = 0; index < 3; index += 1) members.push((await createDocument(server)).uid);
  await run('Document.AddToCollection', members, { collection: collection.uid });
  await run('Document.CheckIn', collection.uid, { version: 'minor' });
  const version: DocumentEntity = await run('Document.GetLastVersion', collection.uid);
  const [a = '', b = '', c = ''] = members;
  return { collection: collection.uid, version: version.uid, a, b, c };
}

describe('A version of a collection (§11)', () => {
  test('keeps its members in their order; members list only the live collection', async () => {
    const { collection, version, a, b, c } = await checkedIn();
    await run('Document.MoveCollectionMember', collection, { member1: c });
    await run('Collection.RemoveFromCollection', a, { collection });
    expect(await membersOf(collection)).toEqual([c, b]);
    expect(await membersOf(version)).toEqual([a, b, c]);
    expect((await read(version)).properties['collection:documentIds']).toEqual([a, b, c]);
    expect([await collectionsOf(a), await collectionsOf(b)]).toEqual([[], [collection]]);
    const shown = await server.request.get(`/api/v1/id/${b}`).set('enrichers.document', 'collections');
    expect(shown.body.contextParameters.collections).toHaveLength(1);
    const content = await server.request.get(`/api/v1/id/${version}`).set('enrichers.document', 'hasContent');
    expect(content.body.contextParameters).toEqual({ hasContent: true });
    await server.request.delete(`/api/v1/id/${c}`).expect(204);
    expect(await membersOf(version)).toEqual([a, b]);
  });

  test('is no collection of its members in searches (§4.7)', async () => {
    const { collection, version, a, b } = await checkedIn();
    await run('Collection.RemoveFromCollection', a, { collection });
    const found = async (uid: string, where: string) =>
      (await namesWhere(server.request, `ecm:uuid = '${uid}' AND collectionMember:collectionIds ${where}`))
        .length;
    expect([await found(a, 'IS NOT NULL'), await found(b, 'IS NOT NULL')]).toEqual([0, 1]);
    expect([await found(a, `= '${version}'`), await found(b, `IN ('${version}')`)]).toEqual([0, 0]);
    expect(await found(b, `= '${collection}'`)).toBe(1);
    const column = 'COUNT(collectionMember:collectionIds)';
    const query = `SELECT ${column} FROM File WHERE ecm:uuid IN ('${a}', '${b}')`;
    expect((await run('Repository.ResultSetQuery', undefined, { query })).entries).toEqual([{ [column]: 1 }]);
    const ofVersion = `collection:documentIds = '${a}' AND ecm:isVersion = 1`;
    expect(await namesWhere(server.request, ofVersion)).toHaveLength(1);
  });

  test('refuses new members and the removal of members', async () => {
    const { version, a } = await checkedIn();
    for (const id of ['Document.AddToCollection', 'Collection.RemoveFromCollection']) {
      const { body } = await call(server.request, id, { input: a, params: { collection: version } });
      expect([body.status, body.message]).toEqual([
        400,
        `${version} is a version or proxy of a collection, which cannot be changed.`,
      ]);
    }
  });

  test('restores its members and changes the tokens of those that join or leave', async () => {
    const { collection, version, a, b, c } = await checkedIn();
    const d = (await createDocument(server)).uid;
    await run('Document.MoveCollectionMember', collection, { member1: c });
    await run('Collection.RemoveFromCollection', a, { collection });
    await run('Document.AddToCollection', d, { collection });
    const tokens = () => Promise.all([a, b, c, d].map(async (uid) => (await read(uid)).changeToken));
    expect(await tokens()).toEqual(['2-0', '1-0', '1-0', '1-0']);
    await run('Document.RestoreVersion', version);
    expect(await membersOf(collection)).toEqual([a, b, c]);
    expect(await tokens()).toEqual(['3-0', '1-0', '1-0', '2-0']);
    expect([await collectionsOf(a), await collectionsOf(d)]).toEqual([[collection], []]);
  });

  test('is deleted with its collection; its own deletion leaves the tokens of its members', async () => {
    const { collection, version, a } = await checkedIn();
    await run('Document.CheckOut', collection);
    await server.request.delete(`/api/v1/id/${version}`).expect(204);
    expect(await membersOf(collection)).toHaveLength(3);
    expect((await read(a)).changeToken).toBe('1-0');
    await run('Document.CheckIn', collection, { version: 'major' });
    await server.request.delete(`/api/v1/id/${collection}`).expect(204);
    expect((await read(a)).changeToken).toBe('2-0');
    expect(await server.database.prisma.collectionMember.count({ where: { memberId: a } })).toBe(0);
  });

  test('costs as many statements for many members as for one', async () => {
    const cost = async (count: number) => {
      const collection = await createDocument(server, { type: 'Collection' });
      const members: string[] = [];
      for (let index = 0; index < count; index += 1) members.push((await createDocument(server)).uid);
      await run('Document.AddToCollection', members, { collection: collection.uid });
      const params = { version: 'minor' };
      const made = await call(server.request, 'Document.CheckIn', { input: collection.uid, params });
      const version = await run('Document.GetLastVersion', collection.uid);
      await run('Collection.RemoveFromCollection', members, { collection: collection.uid });
      const restored = await call(server.request, 'Document.RestoreVersion', { input: version.uid });
      expect(await membersOf(collection.uid)).toEqual(members);
      return [statements(made), statements(restored)];
    };
    expect(await cost(8)).toEqual(await cost(1));
  });
});
