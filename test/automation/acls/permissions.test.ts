import { beforeAll, describe, expect, test } from '@jest/globals';
import { operations } from '../../../src/automation/index.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';

const server = useServer();
let document: DocumentEntity;
beforeAll(async () => {
  await createUser(server, 'bob');
  await createUser(server, 'ann');
  await createGroup(server, 'team');

  document = await createDocument(server, { type: 'Folder' });
});

const run = (id: string, params: Record<string, unknown>, input: unknown = document.uid) =>
  call(server.request, id, { input, params });

interface ShownAce {
  readonly id: string;
  readonly username: string;
  readonly permission: string;
  readonly granted: boolean;
  readonly begin: string | null;
  readonly end: string | null;
}

/** The ACEs of an ACL of the document. */
async function aces(acl = 'local', uid = document.uid): Promise<ShownAce[]> {
  const { body } = await server.request.get(`/api/v1/id/${uid}/@acl`).expect(200);
  return body.acl.find(({ name }: { name: string }) => name === acl)?.ace ?? [];
}

const whom = async (acl?: string) => (await aces(acl)).map(({ username }) => username);
const clear = () => setAcl(server, document.path, []);

/** The name that is stored for guest@example.org. */
const guestName = 'transient/guest@example.org/0e9a8dadba366a88';

/** The operations, each with valid parameters. */
const good: Record<string, Record<string, unknown>> = {
  'Document.AddPermission': { users: ['bob'], permission: 'Read' },
  'Document.ReplacePermission': {
    id: 'bob:Read:true:Administrator::',
    username: 'bob',
    permission: 'Read',
  },
  'Document.RemovePermission': { user: 'bob' },
  'Document.BlockPermissionInheritance': {},
  'Document.UnblockPermissionInheritance': {},
  'Document.AddACE': { user: 'bob', permission: 'Read' },
  'Document.RemoveACL': { acl: 'local' },
};

describe.each(Object.entries(good))('%s', (id, params) => {
  test('answers with its document, or all documents of a list', async () => {
    const other = await createDocument(server);
    for (const { path } of [other, document]) await setAcl(server, path, [grant('bob', 'Read')]);
    const { body } = await run(id, params, other.path).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid: other.uid });
    await setAcl(server, other.path, [grant('bob', 'Read')]);
    const list = await run(id, params, [other.uid, document.uid]).expect(200);
    expect(list.body.entries.map(({ uid }: DocumentEntity) => uid)).toEqual([other.uid, document.uid]);
  });
});

describe('Document.AddPermission', () => {
  test('grants a permission to users and groups for a period', async () => {
    await clear();
    const times = { begin: '2020-01-01T00:00:00Z', end: '2090-01-01' };
    await run('Document.AddPermission', {
      users: 'bob,team',
      username: 'ann',
      permission: 'ReadWrite',
      ...times,
      notify: 'true',
      comment: 'welcome',
    }).expect(200);
    expect(await aces()).toMatchObject(
      ['bob', 'team', 'ann'].map((username) => ({
        username,
        permission: 'ReadWrite',
        granted: true,
        begin: '2020-01-01T00:00:00.000Z',
        end: '2090-01-01T00:00:00.000Z',
      })),
    );
  });

  test('has the alias Document.AddACL, and user is an alias of username', async () => {
    await clear();
    await run('Document.AddACL', { user: 'bob', permission: 'Read', acl: 'mine' }).expect(200);
    expect(await whom('mine')).toEqual(['bob']);
    await run('Document.RemoveACL', { acl: 'mine' }).expect(200);
  });

  test('adds each ACE once and blocks inheritance on request', async () => {
    await clear();
    const params = { users: ['bob'], permission: 'Read', blockInheritance: true };
    await run('Document.AddPermission', params).expect(200);
    await run('Document.AddPermission', params).expect(200);
    expect(await whom()).toEqual(['Administrator', 'administrators', 'bob', 'Everyone']);
  });

  test('invites a guest by e-mail only with an end', async () => {
    await clear();
    const guest = { email: 'guest@example.org', permission: 'Read' };
    const { body } = await run('Document.AddPermission', guest).expect(400);
    expect(body.message).toBe("'end' parameter must be set when adding a permission for an 'email'");
    await run('Document.AddPermission', { ...guest, end: '2090-01-01' }).expect(200);
    expect(await whom()).toEqual(['guest@example.org']);
  });

  test.each([
    [{ permission: 'Read' }, "'users' or 'email' parameters must be set"],
    [{ users: ['bob'] }, 'permission is missing'],
    [{ users: ['bob'], permission: 'Fly' }, 'Permission Fly is invalid.'],
    [
      { users: ['bob', 'nobody'], permission: 'Read' },
      'The following set of User or Group names do not exist: [nobody]. Please provide valid ones.',
    ],
  ])('refuses %j', async (params, message) => {
    expect((await run('Document.AddPermission', params).expect(400)).body.message).toBe(message);
  });
});

describe('Document.ReplacePermission', () => {
  test('replaces an ACE in its position', async () => {
    await setAcl(server, document.path, [grant('bob', 'Read'), grant('ann', 'Read')]);
    const [first] = await aces();
    const by = { username: 'team', permission: 'Write', end: '2090-01-01' };
    await run('Document.ReplacePermission', { id: first?.id, ...by }).expect(200);
    expect(await aces()).toMatchObject([{ username: 'team', permission: 'Write' }, { username: 'ann' }]);
  });

  test('accepts a replacement that is equal to the ACE', async () => {
    await setAcl(server, document.path, [grant('bob', 'Read')]);
    const [{ id } = {}] = await aces();
    await run('Document.ReplacePermission', { id, username: 'bob', permission: 'Read' }).expect(200);
    expect(await aces()).toMatchObject([{ username: 'bob', permission: 'Read' }]);
  });

  test.each([{ id: 'nosuch' }, { id: 'bob:Read:true:Administrator::', acl: 'other' }])(
    'answers 404 for %j, which the ACL does not have, and changes nothing',
    async (params) => {
      await setAcl(server, document.path, [grant('ann', 'Read'), grant('bob', 'Read')]);
      const before = await aces();
      const by = { username: 'team', permission: 'Write' };
      const { body } = await run('Document.ReplacePermission', { ...params, ...by }).expect(404);
      expect(body.message).toBe(`There is no permission ${params.id} on ${document.uid}.`);
      expect(await aces()).toEqual(before);
    },
  );

  test('refuses a call without parameters', async () => {
    const { body } = await run('Document.ReplacePermission', {}).expect(400);
    expect(body.message).toBe('id is missing; username is missing; permission is missing');
  });
});

describe('Document.RemovePermission', () => {
  test('removes one ACE by its id, or all ACEs of a user', async () => {
    await setAcl(server, document.path, [grant('bob', 'Read'), grant('bob', 'Write'), grant('ann', 'Read')]);
    const [first] = await aces();
    await run('Document.RemovePermission', { id: first?.id }).expect(200);
    expect((await aces()).map(({ permission }) => permission)).toEqual(['Write', 'Read']);
    await run('Document.RemovePermission', { id: 'nosuch', user: 'bob' }).expect(200);
    expect(await whom()).toEqual(['ann']);
  });

  test('refuses a call without parameters', async () => {
    const { body } = await run('Document.RemovePermission', {}).expect(400);
    expect(body.message).toBe("'id', 'user' or 'email' parameter must be set");
  });

  test.each([
    [{ email: 'Guest@Example.org' }],
    [{ user: 'guest@example.org' }],
    [{ user: guestName }],
    [{ id: 'guest@example.org:Read:true:Administrator::3786912000000' }],
    [{ id: `${guestName}:Read:true:Administrator::3786912000000` }],
  ])('removes the permission of a guest by %j', async (params) => {
    await setAcl(server, document.path, [grant('ann', 'Read')]);
    const guest = { email: 'guest@example.org', permission: 'Read', end: '2090-01-01' };
    await run('Document.AddPermission', guest).expect(200);
    expect((await aces())[1]).toMatchObject({ username: 'guest@example.org' });
    await run('Document.RemovePermission', params).expect(200);
    expect(await whom()).toEqual(['ann']);
  });

  test.each([{ id: 'nosuch' }, { user: 'bob' }, { user: 'nobody' }, { email: 'none@example.org' }])(
    'answers 404 for %j, which the document does not have',
    async (params) => {
      await setAcl(server, document.path, [grant('ann', 'Read')]);
      const { body } = await run('Document.RemovePermission', params).expect(404);
      expect(body.message).toMatch(/^There is no permission .+ on .+\.$/);
      expect(await whom()).toEqual(['ann']);
    },
  );

  test('takes a user for a user, although a guest has the same name', async () => {
    await createUser(server, 'both@example.org');
    await setAcl(server, document.path, [grant('both@example.org', 'Read')]);
    await run('Document.AddPermission', {
      email: 'both@example.org',
      permission: 'Read',
      end: '2090-01-01',
    }).expect(200);
    expect(await aces()).toHaveLength(2);
    await run('Document.RemovePermission', { user: 'both@example.org' }).expect(200);
    expect(await aces()).toMatchObject([{ end: '2090-01-01T00:00:00.000Z' }]);
    await run('Document.RemovePermission', { user: 'both@example.org' }).expect(200);
    expect(await aces()).toEqual([]);
  });
});

describe('Document.BlockPermissionInheritance, Document.UnblockPermissionInheritance', () => {
  test('blocking adds ACEs for the caller and administrators, which unblocking keeps', async () => {
    await setAcl(server, document.path, [grant('ann', 'Read')]);
    await run('Document.BlockPermissionInheritance', {}).expect(200);
    expect(await whom()).toEqual(['ann', 'Administrator', 'administrators', 'Everyone']);
    expect(await whom('inherited')).toEqual([]);
    await run('Document.UnblockPermissionInheritance', {}).expect(200);
    expect(await whom()).toEqual(['ann', 'Administrator', 'administrators']);
    expect(await whom('inherited')).toEqual(['Administrator', 'members']);
  });
});

describe('Document.AddACE', () => {
  test('replaces the ACEs of the ACL unless overwrite is false; it can deny', async () => {
    await setAcl(server, document.path, [grant('ann', 'Read')]);
    await run('Document.SetACE', { user: 'bob', permission: 'Write', grant: false }).expect(200);
    expect(await aces()).toMatchObject([{ username: 'bob', permission: 'Write', granted: false }]);
    await run('Document.AddACE', { user: 'ann', permission: 'Read', overwrite: false }).expect(200);
    expect(await whom()).toEqual(['bob', 'ann']);
  });

  test('refuses unknown users, unknown permissions and a missing permission', async () => {
    await run('Document.AddACE', { user: 'nobody', permission: 'Read' }).expect(400);
    await run('Document.AddACE', { user: 'bob', permission: 'Fly' }).expect(400);
    await run('Document.AddACE', { user: 'bob' }).expect(400);
  });
});

describe('Document.RemoveACL', () => {
  test('removes one whole ACL and leaves the others', async () => {
    await setAcl(server, document.path, [grant('ann', 'Read')]);
    await setAcl(server, document.path, [grant('bob', 'Read')], 'other');
    await run('Document.RemoveACL', { acl: 'other' }).expect(200);
    expect([await whom('other'), await whom()]).toEqual([[], ['ann']]);
  });
});

test('this file tests every operation on permissions', () => {
  const isMail = (id: string) => id.startsWith('Document.SendNotification'); // test/automation/mail
  const about = operations.map(({ id }) => id).filter((id) => /Permission|AC[EL]/.test(id) && !isMail(id));
  expect(Object.keys(good).sort()).toEqual(about.sort());
});

test('a document has at most 1,000 ACEs', async () => {
  const { path, uid } = await createDocument(server);
  const ends = Array.from({ length: 1_000 }, (_, day) => new Date(Date.UTC(2100, 0, 1 + day)).toISOString());
  await setAcl(
    server,
    path,
    ends.map((end) => ({ ...grant('bob', 'Read'), end })),
  );
  const added = await run('Document.AddPermission', { users: ['bob'], permission: 'Write' }, uid).expect(400);
  expect(added.body.message).toBe(`The document ${uid} would have 1001 ACEs; the maximum is 1000.`);
  await run('Document.RemovePermission', { user: 'bob' }, uid).expect(200);
  expect(await aces('local', uid)).toEqual([]);
  const users = Array.from({ length: 1_001 }, (_, index) => `u${index}`);
  const many = await run('Document.AddPermission', { users, permission: 'Read' }, uid).expect(400);
  expect(many.body.message).toBe('users must have at most 1000 names; got 1001');
});
