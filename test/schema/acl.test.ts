import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { contradictions } from '../store/consistency.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { createGroup, createUser } from '../support/users.ts';
import { mutate } from './acl-requests.ts';

let server: TestServer;
let path: string;
beforeAll(async () => {
  server = await start();
  await createGroup(server, 'staff');
  for (const id of ['ann', 'bob', 'a:b/c']) await createUser(server, id);
});
afterAll(() => server.stop());
beforeEach(async () => {
  path = (await createDocument(server, { type: 'Folder' })).path;
});
afterEach(async () => {
  expect(await contradictions(server)).toEqual([]);
});

const call = (mutation: string, args?: string) => mutate(server.request, mutation, path, args);
const id = (username: string, permission = 'Read', begin = '', end = '') =>
  `${username}:${permission}:true:Administrator:${begin}:${end}`;
const blockId = 'Everyone:Everything:false:::';
const blocked = [
  'Administrator:Everything:true:Administrator::',
  'administrators:Everything:true:::',
  blockId,
];

describe('§2.5 addPermission', () => {
  test('adds an ACE for each user and group, behind those that are there', async () => {
    await call('addPermission', 'permission: { users: ["bob"], permission: "Read" }');
    const { ids } = await call(
      'addPermission',
      'permission: { users: ["ann", "staff"], permission: "Write" }',
    );
    expect(ids.local).toEqual([id('bob'), id('ann', 'Write'), id('staff', 'Write')]);
  });

  test('adds nothing that is there already', async () => {
    const args = 'permission: { users: ["bob", "bob"], permission: "Read", begin: "2020-01-01" }';
    await call('addPermission', args);
    const { ids } = await call('addPermission', args);
    expect(ids.local).toEqual([id('bob', 'Read', '1577836800000')]);
  });

  test('merges nothing: another time is another ACE', async () => {
    await call('addPermission', 'permission: { users: ["bob"], permission: "Read" }');
    const { ids } = await call(
      'addPermission',
      'permission: { users: ["bob"], permission: "Read", end: "2999-01-01" }',
    );
    expect(ids.local).toHaveLength(2);
  });

  test('takes times in any zone, cut to whole seconds', async () => {
    const times = 'begin: "2030-01-01T02:00:00.999+02:00", end: "2031-01-01T00:00:00Z"';
    const { aces } = await call(
      'addPermission',
      `permission: { users: ["bob"], permission: "Read", ${times} }`,
    );
    expect(aces.local).toEqual([
      {
        ...{ id: id('bob', 'Read', '1893456000000', '1924992000000'), username: 'bob', permission: 'Read' },
        ...{ granted: true, creator: 'Administrator', externalUser: false, status: 'pending' },
        ...{ begin: '2030-01-01T00:00:00.000Z', end: '2031-01-01T00:00:00.000Z' },
        ...{ notify: false, comment: null },
      },
    ]);
  });

  test('keeps what is to be told to the user', async () => {
    const told = 'notify: true, comment: "Welcome 🎉"';
    const { aces } = await call(
      'addPermission',
      `permission: { users: ["bob"], permission: "Read", ${told} }`,
    );
    expect(aces.local?.[0]).toMatchObject({ notify: true, comment: 'Welcome 🎉' });
  });

  test('knows Everyone, and names with any character', async () => {
    const { ids } = await call(
      'addPermission',
      'permission: { users: ["Everyone", "a:b/c"], permission: "Read" }',
    );
    expect(ids.local).toEqual([id('Everyone'), id('a:b/c')]);
  });

  test('invites a guest by e-mail, one for one address', async () => {
    const args = (email: string) =>
      `permission: { email: "${email}", permission: "Read", end: "2999-01-01" }`;
    await call('addPermission', args('Guest@Example.com'));
    const { aces } = await call('addPermission', args('guest@example.com'));
    expect(aces.local).toHaveLength(1);
    expect(aces.local?.[0]).toMatchObject({ externalUser: true });
    expect(aces.local?.[0]?.username).toMatch(/^transient\/guest@example\.com\/[0-9a-f]{16}$/);
    const again = await call(
      'replacePermission',
      `ace: "${aces.local?.[0]?.id}", by: { username: "${aces.local?.[0]?.username}", permission: "ReadWrite" }`,
    );
    expect(again.aces.local).toMatchObject([{ externalUser: true, permission: 'ReadWrite' }]);
  });

  test('adds before a block, and blocks first when asked to', async () => {
    const { ids } = await call(
      'addPermission',
      'permission: { users: ["bob"], permission: "Read", blockInheritance: true }',
    );
    expect(ids).toEqual({ local: [...blocked.slice(0, 2), id('bob'), blockId] });
    const more = await call('addPermission', 'permission: { users: ["ann"], permission: "Read" }');
    expect(more.ids).toEqual({ local: [...blocked.slice(0, 2), id('bob'), id('ann'), blockId] });
  });

  test('adds to another ACL, which counts before the local one', async () => {
    await call('addPermission', 'permission: { users: ["bob"], permission: "Read" }');
    const { ids } = await call(
      'addPermission',
      'acl: "routing/7", permission: { users: ["ann"], permission: "Read" }',
    );
    expect(Object.keys(ids)).toEqual(['routing/7', 'local', 'inherited']);
  });
});

describe('§2.5 replacePermission', () => {
  beforeEach(async () => {
    await call(
      'setAcl',
      'aces: [{ username: "ann", permission: "Read" }, { username: "bob", permission: "Read" }, { username: "staff", permission: "Read" }]',
    );
  });

  test('puts an ACE in the place of another', async () => {
    const by = 'by: { username: "bob", permission: "Write", end: "2999-01-01" }';
    const { ids } = await call('replacePermission', `ace: "${id('bob')}", ${by}`);
    expect(ids.local).toEqual([id('ann'), id('bob', 'Write', '', '32472144000000'), id('staff')]);
  });

  test('changes nothing where no ACE has that id', async () => {
    const { ids } = await call(
      'replacePermission',
      `ace: "nosuch", by: { username: "bob", permission: "Write" }`,
    );
    expect(ids.local).toEqual([id('ann'), id('bob'), id('staff')]);
  });

  test('leaves one where another one is equal', async () => {
    const { ids } = await call(
      'replacePermission',
      `ace: "${id('bob')}", by: { username: "ann", permission: "Read" }`,
    );
    expect(ids.local).toEqual([id('ann'), id('staff')]);
  });
});

describe('§2.5 removePermission', () => {
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
    ['of nobody who is there: none', 'user: "cem"', [id('ann'), id('bob'), id('bob', 'Write')]],
    ['by another id: none', 'ace: "nosuch"', [id('ann'), id('bob'), id('bob', 'Write')]],
  ])('%s', async (_, args, expected) => {
    expect((await call('removePermission', args)).ids.local).toEqual(expected);
  });

  test('of the last one takes the ACL away', async () => {
    await call('removePermission', 'user: "ann"');
    expect(Object.keys((await call('removePermission', 'user: "bob"')).ids)).toEqual(['inherited']);
  });
});

describe('§2.5 inheritance', () => {
  test('blocked: the caller and administrators keep everything', async () => {
    expect((await call('blockInheritance')).ids).toEqual({ local: blocked });
  });

  test('blocked twice is blocked once', async () => {
    await call('blockInheritance');
    expect((await call('blockInheritance')).ids).toEqual({ local: blocked });
  });

  test('unblocked: the block alone goes', async () => {
    await call('addPermission', 'permission: { users: ["bob"], permission: "Read", blockInheritance: true }');
    const { ids } = await call('unblockInheritance');
    expect(ids.local).toEqual([...blocked.slice(0, 2), id('bob')]);
    expect(ids.inherited).toHaveLength(2);
  });

  test('unblocked where it is not blocked: nothing changes', async () => {
    expect(Object.keys((await call('unblockInheritance')).ids)).toEqual(['inherited']);
  });
});

describe('§2.5 whole ACLs', () => {
  test('addAce adds one, granting or denying, or makes it the only one', async () => {
    await call('addAce', 'ace: { username: "ann", permission: "Read" }');
    const { aces } = await call('addAce', 'ace: { username: "bob", permission: "Write", granted: false }');
    expect(aces.local?.map(({ username, granted }) => [username, granted])).toEqual([
      ['ann', true],
      ['bob', false],
    ]);
    const { ids } = await call('addAce', 'overwrite: true, ace: { username: "staff", permission: "Read" }');
    expect(ids.local).toEqual([id('staff')]);
  });

  test('setAcl keeps the order that is given', async () => {
    const aces = ['staff', 'ann', 'bob'].map((username) => `{ username: "${username}", permission: "Read" }`);
    expect((await call('setAcl', `aces: [${aces.join(' ')}]`)).ids.local).toEqual(
      ['staff', 'ann', 'bob'].map((name) => id(name)),
    );
    expect(Object.keys((await call('setAcl', 'aces: []')).ids)).toEqual(['inherited']);
  });

  test('removeAcl takes one away whole, and no other', async () => {
    await call('addAce', 'ace: { username: "ann", permission: "Read" }');
    await call('addAce', 'acl: "routing/1", ace: { username: "ann", permission: "Read" }');
    expect(Object.keys((await call('removeAcl')).ids)).toEqual(['routing/1', 'inherited']);
    expect(Object.keys((await call('removeAcl', 'acl: "routing/1"')).ids)).toEqual(['inherited']);
    expect(Object.keys((await call('removeAcl', 'acl: "nosuch"')).ids)).toEqual(['inherited']);
  });
});
