import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

const server = useServer();
let document: DocumentEntity;
const guest = 'eve@acme.test';
beforeAll(async () => {
  await createUser(server, 'ann', ['members']);
  document = await createDocument(server);
  await setAcl(server, document.path, [
    grant('ann', 'ReadWrite'),
    { ...grant('members', 'Write'), end: '2001-02-03T04:05:06.000Z' },
    grant('Everyone', 'Comment'),
  ]);
  await server.request
    .post('/api/v1/automation/Document.AddPermission')
    .send({ input: document.uid, params: { email: guest, permission: 'Read', end: '2999-01-01' } })
    .expect(200);
});

/** The ACLs of a document, and the ACEs of the first. */
async function acls(headers: Record<string, string> = {}, { agent = server.request, of = document } = {}) {
  const { body } = await agent
    .get(`/api/v1/id/${of.uid}`)
    .set({ 'enrichers.document': 'acls', ...headers })
    .expect(200);
  const list = body.contextParameters.acls;
  return { list, aces: list[0]?.aces };
}

describe('§2.5 the enricher acls', () => {
  test('presents the effective ACLs with every field of an ACE', async () => {
    const { list, aces } = await acls();
    expect(list.map(({ name }: { name: string }) => name)).toEqual(['local', 'inherited']);
    expect(aces[0]).toEqual({
      id: 'ann:ReadWrite:true:Administrator::',
      username: 'ann',
      externalUser: false,
      permission: 'ReadWrite',
      granted: true,
      creator: 'Administrator',
      begin: null,
      end: null,
      status: 'effective',
    });
    expect(aces[1]).toMatchObject({ end: '2001-02-03T04:05:06.000Z', status: 'archived' });
    expect(aces[3]).toMatchObject({ username: expect.stringContaining(guest), externalUser: true });
    expect(list[1].aces).toEqual(
      expect.arrayContaining([expect.objectContaining({ username: 'members', permission: 'Read' })]),
    );
  });

  test('is empty without ReadSecurity', async () => {
    const closed = await createDocument(server);
    await setAcl(server, closed.path, [deny('ann', 'ReadSecurity')]);
    const ann = as(server, 'ann');
    expect((await acls({}, { agent: ann })).list).toHaveLength(2);
    expect((await acls({}, { agent: ann, of: closed })).list).toEqual([]);
  });
});

describe('§10.1 fetch properties of ACLs', () => {
  test.each(['fetch.acls', 'fetch.document'])(
    '%s turns username and creator into entities',
    async (header) => {
      const { aces } = await acls({ [header]: 'username,creator' });
      const [user, group, everyone, invited] = aces;
      expect(user.username).toMatchObject({
        'entity-type': 'user',
        id: 'ann',
        properties: { username: 'ann' },
      });
      expect(user.creator).toMatchObject({ 'entity-type': 'user', id: 'Administrator' });
      expect(group.username).toMatchObject({ 'entity-type': 'group', id: 'members', groupname: 'members' });
      expect(everyone.username).toBe('Everyone');
      expect(invited.username).toEqual(expect.stringContaining(guest));
      expect(Object.keys(user)).toEqual(Object.keys((await acls()).aces[0]));
    },
  );

  test('username and creator can be fetched separately', async () => {
    const [first] = (await acls({ 'fetch.acls': 'creator' })).aces;
    expect(first).toMatchObject({ username: 'ann', creator: { id: 'Administrator' } });
    const [second] = (await acls({ 'fetch.acls': 'username' })).aces;
    expect(second).toMatchObject({ username: { id: 'ann' }, creator: 'Administrator' });
  });

  test('the creator of an ACE that the server made is null', async () => {
    const { list } = await acls({ 'fetch.acls': 'creator' });
    const inherited = list[1].aces.map(({ creator }: { creator: unknown }) => creator);
    expect(inherited).toContain(null);
  });

  test('notify and comment are there when they are set (§2.5)', async () => {
    const { uid } = await createDocument(server);
    const ace = { username: 'ann', permission: 'Read' };
    await server.request
      .post(`/api/v1/id/${uid}/@op/Document.AddPermission`)
      .send({ params: { ...ace, notify: true, comment: 'for the audit' } })
      .expect(200);
    const answer = await server.request
      .get(`/api/v1/id/${uid}`)
      .set('enrichers.document', 'acls')
      .expect(200);
    const [local] = answer.body.contextParameters.acls;
    expect(local.aces).toEqual([expect.objectContaining({ ...ace, notify: true, comment: 'for the audit' })]);
    expect(Object.keys((await acls()).aces[0])).not.toContain('notify');
  });

  test('fetch.acls=extended adds notify and comment', async () => {
    const [ace] = (await acls({ 'fetch.acls': 'extended' })).aces;
    expect(ace).toMatchObject({ notify: false, comment: null });
    expect(await acls({ 'fetch.document': 'extended' })).toEqual(await acls());
  });

  test('at depth root users and groups have their fixed fields only', async () => {
    const [user, group] = (await acls({ 'fetch.acls': 'username', depth: 'root' })).aces;
    expect(user.username).not.toHaveProperty('properties');
    expect(user.username).toMatchObject({ id: 'ann', isAdministrator: false });
    expect(group.username).toEqual({
      'entity-type': 'group',
      id: 'members',
      groupname: 'members',
      grouplabel: 'Members group',
    });
  });
});
