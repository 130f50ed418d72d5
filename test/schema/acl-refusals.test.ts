import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { mutate } from './acl-requests.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await start();
  await createUser(server, 'bob');
});
afterAll(() => server.stop());
beforeEach(async () => {
  path = (await createDocument(server, { type: 'Folder' })).path;
});

const call = (mutation: string, args?: string) => mutate(server.request, mutation, path, args);

const refused: Array<[string, string, string, string]> = [
  [
    'addPermission',
    'permission: { permission: "Read" }',
    'INVALID',
    "'users' or 'email' parameters must be set",
  ],
  [
    'addPermission',
    'permission: { users: [], permission: "Read" }',
    'INVALID',
    "'users' or 'email' parameters must be set",
  ],
  [
    'addPermission',
    'permission: { email: "a@b.c", permission: "Read" }',
    'INVALID',
    "'end' parameter must be set when adding a permission for an 'email'",
  ],
  [
    'addPermission',
    'permission: { email: "no mail", permission: "Read", end: "2999-01-01" }',
    'INVALID',
    'email: "no mail" is no e-mail address',
  ],
  [
    'addPermission',
    'permission: { users: ["bob", "nix", "nox"], permission: "Read" }',
    'INVALID',
    'The following set of User or Group names do not exist: [nix, nox]. Please provide valid ones.',
  ],
  [
    'addPermission',
    'permission: { users: ["BOB"], permission: "Read" }',
    'INVALID',
    'The following set of User or Group names do not exist: [BOB]. Please provide valid ones.',
  ],
  [
    'addPermission',
    'permission: { users: ["transient/a@b.c/0000"], permission: "Read" }',
    'INVALID',
    'The following set of User or Group names do not exist: [transient/a@b.c/0000]. Please provide valid ones.',
  ],
  [
    'addPermission',
    'permission: { users: ["a\\u0000b"], permission: "Read" }',
    'INVALID',
    'a text contains a NUL character',
  ],
  [
    'addPermission',
    'permission: { users: ["bob"], permission: "Reed" }',
    'INVALID',
    'Permission Reed is invalid.',
  ],
  [
    'addPermission',
    'permission: { users: ["bob"], permission: "read" }',
    'INVALID',
    'Permission read is invalid.',
  ],
  [
    'addPermission',
    'permission: { users: ["bob"], permission: "Read", comment: "\\u0000" }',
    'INVALID',
    'a text contains a NUL character',
  ],
  [
    'addPermission',
    'permission: { users: ["bob"], permission: "Read", begin: "tomorrow" }',
    'INVALID',
    'begin: "tomorrow" is not a W3C date-time',
  ],
  [
    'addPermission',
    'permission: { users: ["bob"], permission: "Read", end: "9999-12-31T23:59:59-01:00" }',
    'INVALID',
    'end: "9999-12-31T23:59:59-01:00" is not within the years 0 to 9999',
  ],
  [
    'addPermission',
    'permission: { users: ["bob"], permission: "Read", begin: "2021-01-02", end: "2021-01-01" }',
    'INVALID',
    'begin: 2021-01-02T00:00:00.000Z is after end, 2021-01-01T00:00:00.000Z',
  ],
  [
    'addPermission',
    'acl: "inherited", permission: { users: ["bob"], permission: "Read" }',
    'INVALID',
    `"inherited" is no ACL of a document's own`,
  ],
  [
    'addPermission',
    'acl: " ", permission: { users: ["bob"], permission: "Read" }',
    'INVALID',
    `" " is no ACL of a document's own`,
  ],
  ['removePermission', '', 'INVALID', "'id' or 'user' parameter must be set"],
  ['removePermission', 'user: ""', 'INVALID', "'id' or 'user' parameter must be set"],
  [
    'replacePermission',
    'ace: "x", by: { username: "nix", permission: "Read" }',
    'INVALID',
    'The following set of User or Group names do not exist: [nix]. Please provide valid ones.',
  ],
  [
    'addAce',
    'ace: { username: "nix", permission: "Read" }',
    'INVALID',
    'The following set of User or Group names do not exist: [nix]. Please provide valid ones.',
  ],
  ['addAce', 'ace: { username: "bob", permission: "" }', 'INVALID', 'Permission  is invalid.'],
  [
    'setAcl',
    'aces: [{ username: "bob", permission: "Read" }, { username: "nix", permission: "Read" }]',
    'INVALID',
    'The following set of User or Group names do not exist: [nix]. Please provide valid ones.',
  ],
  ['removeAcl', 'acl: "inherited"', 'INVALID', `"inherited" is no ACL of a document's own`],
  ['blockInheritance', 'acl: ""', 'INVALID', `"" is no ACL of a document's own`],
];

describe('§2.5 what is refused', () => {
  test.each(refused)('%s(%s): %s', async (mutation, args, code, message) => {
    expect(await call(mutation, args)).toMatchObject({ error: { code, message } });
    const { body } = await server.request.get(`/api/v1/path${path}/@acl`).expect(200);
    expect(body.acl.map(({ name }: { name: string }) => name)).toEqual(['inherited']);
  });

  test.each(['addPermission', 'removeAcl', 'blockInheritance'])(
    '%s of a document that there is not',
    async (mutation) => {
      const args = mutation === 'addPermission' ? 'permission: { users: ["bob"], permission: "Read" }' : '';
      expect(await mutate(server.request, mutation, '/nosuch', args)).toMatchObject({
        error: { code: 'NOT_FOUND' },
      });
      expect(await mutate(server.request, mutation, '/a\0b', args)).toMatchObject({
        error: { code: 'NOT_FOUND' },
      });
    },
  );
});
