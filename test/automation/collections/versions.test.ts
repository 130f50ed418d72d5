import { beforeAll, describe, expect, test } from '@jest/globals';
import { idOf, versionedDocument } from '../../rest/versions/version-requests.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';
import { collecting } from './collecting.ts';

const server = useServer();
const bob = useUser(server, 'bob');
const ann = useUser(server, 'ann');
const { read, collection, add, membersOf } = collecting(server);

/** A collection with two versions of one document, of which bob may read neither, and a readable one. */
let into: DocumentEntity;
let hidden: string[];
let shown: string;
beforeAll(async () => {
  into = await collection();
  const [closed, open] = [
    await versionedDocument(server, ['MINOR', 'MINOR']),
    await versionedDocument(server, ['MINOR']),
  ];
  await setAcl(server, closed.path, [deny('bob', 'ReadVersion'), grant('bob', 'Read'), grant('ann', 'Read')]);
  await setAcl(server, open.path, [grant('bob', 'ReadVersion'), grant('ann', 'Read')]);
  await setAcl(server, into.path, [grant('bob', 'Read'), grant('ann', 'Read')]);
  [hidden, shown] = [[idOf(closed.versions, 0), idOf(closed.versions, 1)], idOf(open.versions, 0)];
  await add([...hidden, shown], into).expect(200);
});

const found = async (who: TestServer['request'], query: string) =>
  (await who.get('/api/v1/search/execute').query({ query }).expect(200)).body;

const contentOf = async (who: TestServer['request'], parameters: Record<string, unknown> = {}) =>
  (
    await who
      .get('/api/v1/search/lang/pp/ordered_content_collection')
      .query({ queryParams: into.uid, ...parameters })
      .expect(200)
  ).body;

describe('§2.5 a version in a collection needs ReadVersion', () => {
  test('to be listed and counted among its members', async () => {
    expect(await membersOf(into)).toEqual([...hidden, shown]);
    expect(await membersOf(into, ann)).toEqual([...hidden, shown]);
    expect(await membersOf(into, bob)).toEqual([shown]);
    const page = await contentOf(bob);
    expect(page).toMatchObject({ resultsCount: 1, entries: [{ uid: shown }] });
    expect(await contentOf(bob, { cursor: '*' })).toMatchObject({ entries: [{ uid: shown }] });
    expect(await contentOf(ann)).toMatchObject({ resultsCount: 3 });
  });

  test('to stand in its property', async () => {
    const idsOf = async (who: TestServer['request']) =>
      (await read(into.uid, who)).properties['collection:documentIds'];
    expect(await idsOf(ann)).toEqual([...hidden, shown]);
    expect(await idsOf(bob)).toEqual([shown]);
    const select = `SELECT collection:documentIds/* FROM Collection WHERE ecm:uuid = '${into.uid}'`;
    const recordsOf = async (who: TestServer['request']) => {
      const { body } = await call(who, 'Repository.ResultSetQuery', { params: { query: select } }).expect(
        200,
      );
      return body.entries.map((one: Record<string, string>) => one['collection:documentIds/*']) as string[];
    };
    expect((await recordsOf(ann)).toSorted()).toEqual([...hidden, shown].toSorted());
    expect(await recordsOf(bob)).toEqual([shown]);
  });

  test('to be what the collection is found by', async () => {
    const byMember = async (who: TestServer['request'], id?: string) =>
      (await found(who, `SELECT * FROM Collection WHERE collection:documentIds = '${id}'`)).resultsCount;
    expect(await byMember(bob, hidden[0])).toBe(0);
    expect(await byMember(bob, shown)).toBe(1);
    expect(await byMember(ann, hidden[0])).toBe(1);
  });

  test('to be content of it', async () => {
    const closed = await collection();
    await setAcl(server, closed.path, [grant('bob', 'Read'), grant('ann', 'Read')]);
    await add(hidden[0], closed).expect(200);
    const hasContent = async (who: TestServer['request']) =>
      (await who.get(atId(closed.uid)).set('enrichers.document', 'hasContent').expect(200)).body
        .contextParameters.hasContent;
    expect(await hasContent(ann)).toBe(true);
    expect(await hasContent(bob)).toBe(false);
    await add(shown, closed).expect(200);
    expect(await hasContent(bob)).toBe(true);
  });

  test('at the cost of as many statements for many members as for few', async () => {
    const many = await collection();
    await setAcl(server, many.path, [grant('bob', 'Read')]);
    const others = await Promise.all(Array.from({ length: 30 }, () => createDocument(server)));
    await add([shown, ...others.map(({ uid }) => uid)], many).expect(200);
    const cost = async ({ uid: input }: DocumentEntity) =>
      statements(await call(bob, 'Collection.GetDocumentsFromCollection', { input }).expect(200));
    for (const one of [into, many]) await cost(one); // caches the ACLs
    expect(await cost(many)).toBe(await cost(into));
  });
});
