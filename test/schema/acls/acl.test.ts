import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';
import { mutate } from './acl-requests.ts';

const server = useServer();
let path: string;
beforeAll(async () => {
  await createGroup(server, 'staff');
  for (const id of ['ann', 'bob', 'a:b/c']) await createUser(server, id);
});
beforeEach(async () => {
  path = (await createDocument(server, { type: 'Folder' })).path;
});
checkConsistency(server);

const call = (mutation: string, args?: string) => mutate(server.request, mutation, path, args);
const id = (username: string, permission = 'Read', begin = '', end = '') =>
  `${username}:${permission}:true:Administrator:${begin}:${end}`;
const blockId = 'Everyone:Everything:false:::';
const blocked = [
  'Administrator:Everything:true:Administrator::',
  'administrators:Everything:true:::',
  blockId,
];

describe('§2.5 documentAddPermission', () => {
  test('appends an ACE for each user and group', async () => {
    await call('documentAddPermission', 'users: ["bob"], permission: "Read"');
    const { ids } = await call('documentAddPermission', 'users: ["ann", "staff"], permission: "Write"');
    expect(ids.local).toEqual([id('bob'), id('ann', 'Write'), id('staff', 'Write')]);
  });

  test('adds no ACE that exists already', async () => {
    const args = 'users: ["bob", "bob"], permission: "Read", begin: "2020-01-01"';
    await call('documentAddPermission', args);
    const { ids } = await call('documentAddPermission', args);
    expect(ids.local).toEqual([id('bob', 'Read', '1577836800000')]);
  });

  test('adds a further ACE for another period', async () => {
    await call('documentAddPermission', 'users: ["bob"], permission: "Read"');
    const { ids } = await call(
      'documentAddPermission',
      'users: ["bob"], permission: "Read", end: "2999-01-01"',
    );
    expect(ids.local).toHaveLength(2);
  });

  test('accepts times of any zone and truncates them to seconds', async () => {
    const times = 'begin: "2030-01-01T02:00:00.999+02:00", end: "2031-01-01T00:00:00Z"';
    const { aces } = await call('documentAddPermission', `users: ["bob"], permission: "Read", ${times}`);
    expect(aces.local).toEqual([
      {
        id: id('bob', 'Read', '1893456000000', '1924992000000'),
        username: 'bob',
        permission: 'Read',
        granted: true,
        creator: 'Administrator',
        externalUser: false,
        status: 'pending',
        begin: '2030-01-01T00:00:00.000Z',
        end: '2031-01-01T00:00:00.000Z',
        notify: false,
        comment: null,
      },
    ]);
  });

  test('stores notify and comment', async () => {
    const told = 'notify: true, comment: "Welcome 🎉"';
    const { aces } = await call('documentAddPermission', `users: ["bob"], permission: "Read", ${told}`);
    expect(aces.local?.[0]).toMatchObject({ notify: true, comment: 'Welcome 🎉' });
  });

  test('accepts Everyone and names with any character', async () => {
    const { ids } = await call('documentAddPermission', 'users: ["Everyone", "a:b/c"], permission: "Read"');
    expect(ids.local).toEqual([id('Everyone'), id('a:b/c')]);
  });

  test('invites a guest by e-mail, once for each address', async () => {
    const args = (email: string) => `email: "${email}", permission: "Read", end: "2999-01-01"`;
    await call('documentAddPermission', args('Guest@Example.com'));
    const { aces } = await call('documentAddPermission', args('guest@example.com'));
    expect(aces.local).toHaveLength(1);
    expect(aces.local?.[0]).toMatchObject({
      externalUser: true,
      username: 'guest@example.com',
      id: id('guest@example.com', 'Read', '', '32472144000000'),
    });
    const again = await call(
      'replaceAce',
      `ace: "${aces.local?.[0]?.id}", by: { username: "guest@example.com", permission: "ReadWrite", end: "2999-01-01" }`,
    );
    expect(again.aces.local).toMatchObject([{ externalUser: true, permission: 'ReadWrite' }]);
  });

  test('inserts ACEs before a block, and blocks first with blockInheritance', async () => {
    const { ids } = await call(
      'documentAddPermission',
      'users: ["bob"], permission: "Read", blockInheritance: true',
    );
    expect(ids).toEqual({ local: [...blocked.slice(0, 2), id('bob'), blockId] });
    const more = await call('documentAddPermission', 'users: ["ann"], permission: "Read"');
    expect(more.ids).toEqual({ local: [...blocked.slice(0, 2), id('bob'), id('ann'), blockId] });
  });

  test('adds to another ACL, which precedes the local one', async () => {
    await call('documentAddPermission', 'users: ["bob"], permission: "Read"');
    const { ids } = await call(
      'documentAddPermission',
      'acl: "routing/7", users: ["ann"], permission: "Read"',
    );
    expect(Object.keys(ids)).toEqual(['routing/7', 'local', 'inherited']);
  });
});

describe('§2.5 replaceAce', () => {
  beforeEach(async () => {
    await call(
      'setAcl',
      'aces: [{ username: "ann", permission: "Read" }, { username: "bob", permission: "Read" }, { username: "staff", permission: "Read" }]',
    );
  });

  test('replaces an ACE in its position', async () => {
    const by = 'by: { username: "bob", permission: "Write", end: "2999-01-01" }';
    const { ids } = await call('replaceAce', `ace: "${id('bob')}", ${by}`);
    expect(ids.local).toEqual([id('ann'), id('bob', 'Write', '', '32472144000000'), id('staff')]);
  });

  test('leaves one of two ACEs that become equal', async () => {
    const { ids } = await call(
      'replaceAce',
      `ace: "${id('bob')}", by: { username: "ann", permission: "Read" }`,
    );
    expect(ids.local).toEqual([id('ann'), id('staff')]);
  });
});

describe('§2.5 removeAce', () => {
  beforeEach(async () => {
    await call(
      'setAcl',
      'aces: [{ username: "ann", permission: "Read" }, { username: "bob", permission: "Read" }, { username: "bob", permission: "Write" }]',
    );
  });

  test.each([
    ['of a user: all', 'user: "bob"', [id('ann')]],
    ['by id: one', `ace: "${id('bob')}"`, [id('ann'), id('bob', 'Write')]],
    ['of a user whatever the id', `user: "ann", ace: "${id('bob')}"`, [id('bob'), id('bob', 'Write')]],
  ])('removes ACEs %s', async (_, args, expected) => {
    expect((await call('removeAce', args)).ids.local).toEqual(expected);
  });

  test('removes the ACL with its last ACE', async () => {
    await call('removeAce', 'user: "ann"');
    expect(Object.keys((await call('removeAce', 'user: "bob"')).ids)).toEqual(['inherited']);
  });
});

describe('§2.5 blockInheritance and unblockInheritance', () => {
  test('blocking grants Everything to the caller and administrators', async () => {
    expect((await call('documentBlockPermissionInheritance')).ids).toEqual({ local: blocked });
  });

  test('blocking a second time changes nothing', async () => {
    await call('documentBlockPermissionInheritance');
    expect((await call('documentBlockPermissionInheritance')).ids).toEqual({ local: blocked });
  });

  test('unblocking removes only the block', async () => {
    await call('documentAddPermission', 'users: ["bob"], permission: "Read", blockInheritance: true');
    const { ids } = await call('documentUnblockPermissionInheritance');
    expect(ids.local).toEqual([...blocked.slice(0, 2), id('bob')]);
    expect(ids.inherited).toHaveLength(2);
  });

  test('unblocking without a block changes nothing', async () => {
    expect(Object.keys((await call('documentUnblockPermissionInheritance')).ids)).toEqual(['inherited']);
  });
});

describe('§2.5 mutations of whole ACLs', () => {
  test('addAce appends a granting or denying ACE, or overwrites the ACL', async () => {
    await call('addAce', 'ace: { username: "ann", permission: "Read" }');
    const { aces } = await call('addAce', 'ace: { username: "bob", permission: "Write", granted: false }');
    expect(aces.local?.map(({ username, granted }) => [username, granted])).toEqual([
      ['ann', true],
      ['bob', false],
    ]);
    const { ids } = await call('addAce', 'overwrite: true, ace: { username: "staff", permission: "Read" }');
    expect(ids.local).toEqual([id('staff')]);
  });

  test('setAcl stores ACEs in the given order', async () => {
    const aces = ['staff', 'ann', 'bob'].map((username) => `{ username: "${username}", permission: "Read" }`);
    expect((await call('setAcl', `aces: [${aces.join(' ')}]`)).ids.local).toEqual(
      ['staff', 'ann', 'bob'].map((name) => id(name)),
    );
    expect(Object.keys((await call('setAcl', 'aces: []')).ids)).toEqual(['inherited']);
  });

  test('documentRemoveACL removes one whole ACL and no other', async () => {
    await call('addAce', 'ace: { username: "ann", permission: "Read" }');
    await call('addAce', 'acl: "routing/1", ace: { username: "ann", permission: "Read" }');
    expect(Object.keys((await call('documentRemoveACL', 'acl: "local"')).ids)).toEqual([
      'routing/1',
      'inherited',
    ]);
    expect(Object.keys((await call('documentRemoveACL', 'acl: "routing/1"')).ids)).toEqual(['inherited']);
    expect(Object.keys((await call('documentRemoveACL', 'acl: "nosuch"')).ids)).toEqual(['inherited']);
  });
});
