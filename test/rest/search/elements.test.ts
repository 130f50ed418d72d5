import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { namesWhere, search } from './search-requests.ts';

const server = useServer();
let folder: DocumentEntity;
let ann: TestServer['request'];

const lists: Record<string, readonly string[]> = {
  both: ['art/music', 'art/cinema'],
  one: ['art/music'],
  other: ['sciences/math'],
  none: [],
};
const files = (...given: ReadonlyArray<readonly [string, string]>) =>
  given.map(([name, content]) => ({ file: { name, content, 'mime-type': 'text/plain' } }));

beforeAll(async () => {
  await createUser(server, 'ann', ['members']);
  await createUser(server, 'bob', ['members']);
  ann = as(server, 'ann');
  folder = await createDocument(server, { type: 'Folder', name: 'lists' });
  for (const [name, subjects] of Object.entries(lists)) {
    const { path } = await createDocument(server, {
      parent: folder.path,
      name,
      properties: {
        'dc:subjects': subjects,
        'files:files':
          name === 'one' ? files(['a.txt', 'long text']) : files(['a.txt', 'x'], ['b.txt', 'long text']),
      },
    });
    if (name === 'both') await setAcl(server, path, [grant('ann', 'Read'), grant('bob', 'Everything')]);
    if (name === 'one') await setAcl(server, path, [grant('ann', 'Everything'), grant('bob', 'Read')]);
    if (name === 'other') await setAcl(server, path, [deny('ann', 'ReadSecurity'), grant('bob', 'Read')]);
  }
});

const names = (where: string, request = server.request) =>
  namesWhere(request, `ecm:parentId = '${folder.uid}' AND (${where})`);

describe('§4.7 numbered elements of a list', () => {
  test.each([
    ['any elements', "dc:subjects/* LIKE 'art%' AND dc:subjects/* LIKE '%cinema'", ['both']],
    ['one element for both', "dc:subjects/*1 LIKE '%music' AND dc:subjects/*1 LIKE '%cinema'", []],
    ['the same', "dc:subjects/*1 LIKE 'art%' AND dc:subjects/*1 LIKE '%cinema'", ['both']],
    ['two elements', "dc:subjects/*1 LIKE '%music' AND dc:subjects/*2 LIKE '%cinema'", ['both']],
    ['an element alone', "dc:subjects/*1 = 'art/music'", ['both', 'one']],
    [
      'apart in groups',
      "dc:subjects/*7 LIKE 'art%' AND (dc:title = 'x' OR dc:subjects/*7 LIKE '%cinema')",
      ['both'],
    ],
    ['negated: another one', "NOT dc:subjects/*1 = 'art/music'", ['both', 'none', 'other']],
    ['negated beside', "dc:subjects/*1 LIKE 'art%' AND NOT dc:subjects/*1 LIKE '%music'", ['both']],
    ['of empty lists', 'dc:subjects/*1 IS NULL', ['none']],
    ['in lists', "dc:subjects/*1 IN ('art/music', 'x')", ['both', 'one']],
    ['with fields', "files:files/*1/file/name = 'a.txt' AND files:files/*1/file/length > 5", ['one']],
    [
      'of different lists',
      "files:files/*1/file/name = 'b.txt' AND dc:subjects/*1 = 'art/music' AND files:files/*1/file/length > 5",
      ['both'],
    ],
  ])('are %s: %s', async (_, where, expected) => {
    expect(await names(where)).toEqual(expected);
  });

  test('are 400 where there is no list, no element, or too many depend on each other', async () => {
    const entangled = [1, 2, 3].map((n) => `(dc:subjects/*${n} = 'a' OR dc:subjects/*${(n % 3) + 1} = 'b')`);
    for (const where of [
      "dc:title/*1 = 'a'",
      "dc:nothing/*1 = 'a'",
      "files:files/*1/nothing = 'a'",
      "files:files/*1/file/*2 = 'a'",
      "collection:documentIds/*1 = 'a'",
      "collection:documentIds/0 = 'a'",
      'collectionMember:collectionIds[0] IS NULL',
      "ecm:acl/*1/nothing = 'a'",
      "ecm:acl/*1 = 'a'",
      "ecm:name/*1 = 'a'",
      entangled.join(' AND '),
    ]) {
      const { body } = await search(server.request, `SELECT * FROM Document WHERE ${where}`).expect(400);
      expect([where, body.message]).toEqual([where, expect.stringMatching(/^query: /)]);
    }
    const sorted = 'SELECT * FROM Document ORDER BY dc:subjects/*1';
    await search(server.request, sorted).expect(400);
  });

  test('cost no more statements', async () => {
    const cost = async (where: string) =>
      statements(await search(server.request, `SELECT * FROM Document WHERE ${where}`).expect(200));
    await cost("dc:subjects/*1 = 'a'");
    expect(await cost("dc:subjects/*1 = 'a' AND ecm:acl/*1/principal = 'bob'")).toBe(
      await cost("dc:title = 'a'"),
    );
  });
});

describe('§4.7 ecm:acl', () => {
  test.each([
    ["ecm:acl/*/principal = 'bob'", ['both', 'one', 'other']],
    ["ecm:acl/*1/principal = 'bob' AND ecm:acl/*1/permission = 'Everything'", ['both']],
    ["ecm:acl/*/principal = 'bob' AND ecm:acl/*/permission = 'Everything'", ['both', 'one']],
    ["ecm:acl/*1/grant = 0 AND ecm:acl/*1/permission = 'ReadSecurity'", ['other']],
    ["ecm:acl/*1/name = 'local' AND ecm:acl/*1/pos = 1 AND ecm:acl/*1/status = 1", ['both', 'one', 'other']],
    ['ecm:acl/*1/status = 2', []],
    ['ecm:acl/*1/end IS NOT NULL', []],
    ["ecm:acl/*1/creator = 'Administrator' AND ecm:acl/*1/principal = 'ann'", ['both', 'one', 'other']],
    ['ecm:acl/*1/principal IS NULL', ['none']],
  ])('%s finds documents by their own entries', async (where, expected) => {
    expect(await names(where)).toEqual(expected);
  });

  test('tells nothing of ACLs that the caller may not read', async () => {
    expect(await names('dc:title IS NOT NULL OR ecm:uuid IS NOT NULL', ann)).toContain('other');
    expect(await names("ecm:acl/*/principal = 'bob'", ann)).toEqual(['both', 'one']);
    expect(await names("ecm:acl/*1/principal = 'bob'", ann)).toEqual(['both', 'one']);
    expect(await names('ecm:acl/*1/principal IS NULL', ann)).toEqual(['none', 'other']);
  });
});
