import { beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUsers } from '../../support/users.ts';
import { mutate } from './acl-requests.ts';

const server = useServer();
let path: string;
useUsers(server, 'bob');
beforeEach(async () => {
  path = (await createDocument(server, { type: 'Folder' })).path;
});

const call = (mutation: string, args?: string) => mutate(server.request, mutation, path, args);

const refused: Array<[mutation: string, args: string, code: string, message: unknown]> = [
  ['documentAddPermission', 'permission: "Read"', 'INVALID', "'users' or 'email' parameters must be set"],
  [
    'documentAddPermission',
    'users: [], permission: "Read"',
    'INVALID',
    "'users' or 'email' parameters must be set",
  ],
  [
    'documentAddPermission',
    'email: "a@b.c", permission: "Read"',
    'INVALID',
    "'end' parameter must be set when adding a permission for an 'email'",
  ],
  [
    'documentAddPermission',
    'email: "no mail", permission: "Read", end: "2999-01-01"',
    'INVALID',
    'email: "no mail" is not an e-mail address',
  ],
  [
    'documentAddPermission',
    'users: ["bob", "nix", "nox"], permission: "Read"',
    'INVALID',
    'The following set of User or Group names do not exist: [nix, nox]. Please provide valid ones.',
  ],
  [
    'documentAddPermission',
    'users: ["BOB"], permission: "Read"',
    'INVALID',
    'The following set of User or Group names do not exist: [BOB]. Please provide valid ones.',
  ],
  [
    'documentAddPermission',
    'users: ["transient/a@b.c/0000"], permission: "Read"',
    'INVALID',
    'The following set of User or Group names do not exist: [transient/a@b.c/0000]. Please provide valid ones.',
  ],
  [
    'documentAddPermission',
    'users: ["a\\u0000b"], permission: "Read"',
    'INVALID',
    'strings must not contain the NUL character',
  ],
  ['documentAddPermission', 'users: ["bob"], permission: "Reed"', 'INVALID', 'Permission Reed is invalid.'],
  ['documentAddPermission', 'users: ["bob"], permission: "read"', 'INVALID', 'Permission read is invalid.'],
  [
    'documentAddPermission',
    'users: ["bob"], permission: "Read", comment: "\\u0000"',
    'INVALID',
    'strings must not contain the NUL character',
  ],
  [
    'addAce',
    'ace: { username: "bob", permission: "Read", begin: "tomorrow" }',
    'INVALID',
    'begin: "tomorrow" is not a W3C date-time',
  ],
  [
    'addAce',
    'ace: { username: "bob", permission: "Read", end: "9999-12-31T23:59:59-01:00" }',
    'INVALID',
    'end: "9999-12-31T23:59:59-01:00" is not within the years 0 to 9999',
  ],
  [
    'documentAddPermission',
    'users: ["bob"], permission: "Read", begin: "2021-01-02", end: "2021-01-01"',
    'INVALID',
    'begin must not be after the end; got begin 2021-01-02T00:00:00.000Z and end 2021-01-01T00:00:00.000Z',
  ],
  [
    'documentAddPermission',
    'acl: "inherited", users: ["bob"], permission: "Read"',
    'INVALID',
    `"inherited" cannot be the name of a document's own ACL.`,
  ],
  [
    'documentAddPermission',
    'acl: " ", users: ["bob"], permission: "Read"',
    'INVALID',
    `" " cannot be the name of a document's own ACL.`,
  ],
  [
    'documentAddPermission',
    `acl: "${'x'.repeat(256)}", users: ["bob"], permission: "Read"`,
    'INVALID',
    'acl must have at most 255 characters',
  ],
  [
    'documentBlockPermissionInheritance',
    `acl: "${'x'.repeat(256)}"`,
    'INVALID',
    'acl must have at most 255 characters',
  ],
  ['removeAce', '', 'INVALID', "'ace' or 'user' must be set"],
  ['removeAce', 'user: ""', 'INVALID', "'ace' or 'user' must be set"],
  ['removeAce', 'user: "bob"', 'NOT_FOUND', expect.stringContaining('There is no permission of bob on ')],
  [
    'replaceAce',
    'ace: "x", by: { username: "bob", permission: "Read" }',
    'NOT_FOUND',
    expect.stringContaining('There is no permission x on '),
  ],
  ['removeAce', 'ace: "x"', 'NOT_FOUND', expect.stringContaining('There is no permission x on ')],
  [
    'replaceAce',
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
  [
    'documentRemoveACL',
    'acl: "inherited"',
    'INVALID',
    `"inherited" cannot be the name of a document's own ACL.`,
  ],
  [
    'documentBlockPermissionInheritance',
    'acl: ""',
    'INVALID',
    `"" cannot be the name of a document's own ACL.`,
  ],
];

describe('§2.5 refused mutations of ACLs', () => {
  test.each(refused)('%s(%s) fails with %s', async (mutation, args, code, message) => {
    expect(await call(mutation, args)).toMatchObject({ error: { code, message } });
    const { body } = await server.request.get(`/api/v1/path${path}/@acl`).expect(200);
    expect(body.acl.map(({ name }: { name: string }) => name)).toEqual(['inherited']);
  });

  test.each(['documentAddPermission', 'documentRemoveACL', 'documentBlockPermissionInheritance'])(
    '%s fails for an unknown document',
    async (mutation) => {
      const args =
        mutation === 'documentAddPermission' ? 'users: ["bob"], permission: "Read"' : 'acl: "local"';
      expect(await mutate(server.request, mutation, '/nosuch', args)).toMatchObject({
        error: { code: 'NOT_FOUND' },
      });
      expect(await mutate(server.request, mutation, '/a\0b', args)).toMatchObject({
        error: { code: 'NOT_FOUND' },
      });
    },
  );
});
