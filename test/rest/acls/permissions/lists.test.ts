import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl, type TestAce } from '../../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../../support/documents.ts';
import { statements, useServer } from '../../../support/server.ts';
import { as, createGroup, createUser } from '../../../support/users.ts';

const server = useServer();
let ann: ReturnType<typeof as>;
beforeAll(async () => {
  await createGroup(server, 'company');
  await createGroup(server, 'branch', ['company']);
  await createGroup(server, 'team', ['branch']);
  await createUser(server, 'ann', ['team']);
  ann = as(server, 'ann');
});

const block = deny('Everyone', 'Everything');
const minute = 60_000;
const from = (milliseconds: number): string => new Date(Date.now() + milliseconds).toISOString();

/** Creates a folder that ann may read, with a child for each name, which gets these ACEs. */
async function folderOf(children: Record<string, readonly TestAce[]>): Promise<DocumentEntity> {
  const folder = await createDocument(server, { type: 'Folder' });
  await setAcl(server, folder.path, [grant('ann', 'Read'), block]);
  for (const [name, aces] of Object.entries(children)) {
    const { path } = await createDocument(server, { parent: folder.path, name });
    await setAcl(server, path, aces);
  }
  return folder;
}

const children = async ({ uid }: DocumentEntity, query = '') => {
  const { body } = await ann.get(`/api/v1/id/${uid}/@children${query}`).expect(200);
  const names = body.entries.map(({ name }: DocumentEntity) => name);
  return { names, total: body.resultsCount, pages: body.numberOfPages };
};

const cases: Record<string, readonly TestAce[]> = {
  'a-inherited': [],
  'b-blocked': [block],
  'c-denied': [deny('ann', 'Read')],
  'd-group': [grant('team', 'ReadWrite'), block],
  'e-nested-group': [grant('company', 'Read'), block],
  'f-everyone': [grant('Everyone', 'Read'), block],
  'g-part': [grant('ann', 'ReadProperties'), block],
  'h-first-counts': [grant('ann', 'Read'), deny('company', 'Read')],
  'i-group-denied': [deny('company', 'Everything')],
  'j-over': [{ ...deny('ann', 'Read'), end: from(-minute) }],
  'k-to-come': [{ ...deny('ann', 'Read'), begin: from(minute) }],
  'l-in-force': [{ ...deny('ann', 'Read'), begin: from(-minute), end: from(minute) }],
  'm-grant-over': [{ ...grant('ann', 'Read'), end: from(-minute) }, block],
  'n-grant-in-force': [{ ...grant('ann', 'Read'), begin: from(-minute), end: from(minute) }, block],
};
const readable = [
  'a-inherited',
  'd-group',
  'e-nested-group',
  'f-everyone',
  'h-first-counts',
  'j-over',
  'k-to-come',
  'n-grant-in-force',
];

describe('§4 lists without documents that the user may not read', () => {
  let folder: DocumentEntity;
  beforeAll(async () => {
    folder = await folderOf(cases);
  });

  test('do not count the omitted documents', async () => {
    expect(await children(folder)).toEqual({ names: readable, total: readable.length, pages: 1 });
  });

  test('contain exactly the documents that GET answers with 200', async () => {
    for (const name of Object.keys(cases)) {
      const expected = readable.includes(name) ? 200 : 403;
      const { status } = await ann.get(`/api/v1/path${folder.path}/${name}`);
      expect([name, status]).toEqual([name, expected]);
    }
  });

  test('fill their pages with readable documents', async () => {
    expect(await children(folder, '?pageSize=3&currentPageIndex=1')).toEqual({
      names: readable.slice(3, 6),
      total: readable.length,
      pages: 3,
    });
    const beyond = await children(folder, '?pageSize=3&currentPageIndex=9');
    expect(beyond).toMatchObject({ names: [], total: readable.length });
    expect(await children(folder, '?maxResults=2')).toMatchObject({ names: readable.slice(0, 2), total: 2 });
  });

  test('can be sorted', async () => {
    const sorted = await children(folder, '?sortBy=dc:nature,ecm:name&sortOrder=asc,desc&pageSize=2');
    expect(sorted).toMatchObject({ names: [...readable].reverse().slice(0, 2), total: readable.length });
  });

  test('are complete for administrators', async () => {
    const { body } = await server.request.get(`/api/v1/id/${folder.uid}/@children`).expect(200);
    expect(body.resultsCount).toBe(Object.keys(cases).length);
  });

  test('are empty when no child is readable', async () => {
    const empty = await folderOf({ a: [block], b: [block] });
    expect(await children(empty)).toEqual({ names: [], total: 0, pages: 0 });
  });
});

describe('the SQL cost of permissions', () => {
  /** Creates a folder with `count` children, each with its own ACL; ann may read every second one. */
  const folderWith = (count: number) =>
    folderOf(
      Object.fromEntries(
        Array.from({ length: count }, (_, index) => [
          `child-${count}-${index}`,
          [grant(index % 2 === 0 ? 'ann' : 'Administrator', 'Read'), block],
        ]),
      ),
    );

  test('is one statement for the first GET of a document and none for later ones', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    await setAcl(server, path, [{ ...grant('ann', 'Read'), end: from(minute * 60) }]);
    await ann.get('/api/v1/config/facets/Folderish').expect(200);
    const get = async () => statements(await ann.get(`/api/v1/path${path}`).expect(200));
    expect(await get()).toBe(2);
    expect(await get()).toBe(1);
    expect(await get()).toBe(1);
  });

  test('is none for a child with the same effective ACL', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await setAcl(server, folder.path, [{ ...grant('ann', 'Read'), end: from(minute * 61) }]);
    const { path } = await createDocument(server, { parent: folder.path });
    await ann.get(`/api/v1/path${folder.path}`).expect(200);
    expect(statements(await ann.get(`/api/v1/path${path}`).expect(200))).toBe(1);
  });

  test('is none for administrators', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [{ ...grant('ann', 'Read'), end: from(minute * 62) }]);
    expect(statements(await server.request.get(`/api/v1/path${path}`).expect(200))).toBe(1);
  });

  test('is none for a list, of 2 documents as of 20', async () => {
    for (const count of [2, 20]) {
      const { uid } = await folderWith(count);
      await ann.get(`/api/v1/id/${uid}`).expect(200);
      const response = await ann.get(`/api/v1/id/${uid}/@children`).expect(200);
      expect(response.body.resultsCount).toBe(count / 2);
      expect(statements(response)).toBe(2);
      expect(statements(await server.request.get(`/api/v1/id/${uid}/@children`))).toBe(2);
    }
  });

  test('is at most one statement for a write', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    await setAcl(server, path, [grant('ann', 'Everything')]);
    const body = { 'entity-type': 'document', type: 'Folder', name: 'a' };
    const cost = async (agent: typeof ann, name: string) =>
      statements(
        await agent
          .post(`/api/v1/path${path}`)
          .send({ ...body, name })
          .expect(201),
      );
    const administrators = await cost(server.request, 'by-administrator');
    expect(await cost(ann, 'by-ann')).toBeLessThanOrEqual(administrators + 1);
    expect(await cost(ann, 'by-ann-again')).toBe(administrators);
  });
});
