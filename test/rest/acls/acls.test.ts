import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { startServer, statements, useServer } from '../../support/server.ts';
import { as, useUsers } from '../../support/users.ts';

const server = useServer();
useUsers(server, 'ann', 'a:b');

const entry = (username: string, permission: string, creator: string | null, granted = true) => ({
  id: `${username}:${permission}:${granted}:${creator ?? ''}::`,
  username,
  externalUser: false,
  permission,
  granted,
  creator,
  begin: null,
  end: null,
  status: 'effective',
});
const stock = [entry('Administrator', 'Everything', null), entry('members', 'Read', null)];
const block = entry('Everyone', 'Everything', null, false);

const aclOf = async (address: string) =>
  (await server.request.get(`/api/v1${address}/@acl`).expect(200)).body;

describe('§1 the ACLs of a new repository', () => {
  test('the root has a local ACL for the administrator and the members', async () => {
    expect(await aclOf('/path')).toEqual({ 'entity-type': 'acls', acl: [{ name: 'local', ace: stock }] });
  });

  test.each(['/path/default-domain', '/path/default-domain/workspaces', '/path/default-domain/templates'])(
    'the ACL of the root is inherited at %s',
    async (address) => {
      expect(await aclOf(address)).toEqual({
        'entity-type': 'acls',
        acl: [{ name: 'inherited', ace: stock }],
      });
    },
  );

  test('the sections have an additional local ACL', async () => {
    expect((await aclOf('/path/default-domain/sections')).acl).toEqual([
      { name: 'local', ace: [entry('members', 'CanAskForPublishing', null)] },
      { name: 'inherited', ace: stock },
    ]);
  });

  test('every repository has ACLs that name the administrator of the settings', async () => {
    await using own = await startServer({
      REPOSITORIES: 'default,other',
      ADMIN_USERNAME: 'root',
      ADMIN_PASSWORD: 'toor',
    });

    const { body } = await own.anonymous.get('/api/v1/repo/other/path/@acl').auth('root', 'toor').expect(200);
    expect(body.acl).toEqual([
      { name: 'local', ace: [entry('root', 'Everything', null), entry('members', 'Read', null)] },
    ]);
  });
});

describe('§2.5 GET …/@acl', () => {
  test('lists the ACLs of tasks, the local one and those of the ancestors, the nearest first', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { path, uid } = await createDocument(server, { parent: folder.path });
    await setAcl(server, folder.path, [grant('ann', 'Write')]);
    await setAcl(server, path, [grant('a:b', 'Read'), deny('ann', 'Read')]);
    await setAcl(server, path, [grant('ann', 'ReadWrite')], 'routing/7');
    const expected = {
      'entity-type': 'acls',
      acl: [
        { name: 'routing/7', ace: [entry('ann', 'ReadWrite', 'Administrator')] },
        {
          name: 'local',
          ace: [entry('a:b', 'Read', 'Administrator'), entry('ann', 'Read', 'Administrator', false)],
        },
        { name: 'inherited', ace: [entry('ann', 'Write', 'Administrator'), ...stock] },
      ],
    };
    expect(await aclOf(`/path${path}`)).toEqual(expected);
    expect(await aclOf(`/id/${uid}`)).toEqual(expected);
  });

  test('contains the times and the status of each ACE', async () => {
    const { path } = await createDocument(server);
    const [begin, end] = ['2020-01-01T00:00:00.000Z', '2020-02-01T00:00:00.000Z'];
    await setAcl(server, path, [
      { ...grant('ann', 'Read'), begin, end },
      { ...grant('ann', 'Read'), begin: '2999-01-01' },
      { ...grant('ann', 'Read'), begin },
    ]);
    const { acl } = await aclOf(`/path${path}`);
    expect(acl[0].ace.map(({ status }: { status: string }) => status)).toEqual([
      'archived',
      'pending',
      'effective',
    ]);
    expect(acl[0].ace[0]).toEqual({
      ...entry('ann', 'Read', 'Administrator'),
      begin,
      end,
      status: 'archived',
      id: `ann:Read:true:Administrator:${Date.parse(begin)}:${Date.parse(end)}`,
    });
  });

  test('omits the ACLs of ancestors that are blocked', async () => {
    const { path } = await createDocument(server, { type: 'Folder' });
    const below = await createDocument(server, { parent: path });
    await setAcl(server, path, [grant('ann', 'Read'), deny('Everyone', 'Everything')]);
    const ace = [
      entry('ann', 'Read', 'Administrator'),
      { ...block, id: 'Everyone:Everything:false:Administrator::', creator: 'Administrator' },
    ];
    expect((await aclOf(`/path${path}`)).acl).toEqual([{ name: 'local', ace }]);
    expect((await aclOf(`/path${below.path}`)).acl).toEqual([{ name: 'inherited', ace }]);
  });

  test('omits an ACL whose entries were removed', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Read')]);
    await setAcl(server, path, []);
    expect((await aclOf(`/path${path}`)).acl).toEqual([{ name: 'inherited', ace: stock }]);
    expect(await server.database.prisma.documentAcl.count({ where: { acls: { equals: [] } } })).toBe(0);
  });

  test('returns an empty list for a root without ACLs', async () => {
    await using own = await startServer();
    await setAcl(own, '/', []);
    const { body } = await own.request.get('/api/v1/path/@acl').expect(200);
    expect(body).toEqual({ 'entity-type': 'acls', acl: [] });
  });

  test('answers 404 when the document does not exist, and 405 to PUT', async () => {
    await server.request.get('/api/v1/path/nosuch/@acl').expect(404);
    await server.request.get('/api/v1/id/nosuch/@acl').expect(404);
    await server.request.put('/api/v1/path/default-domain/@acl').send({}).expect(405);
  });

  test('needs ReadSecurity in addition to Read', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [deny('ann', 'ReadSecurity'), grant('ann', 'Read')]);
    await as(server, 'ann').get(`/api/v1/path${path}`).expect(200);
    const { body } = await as(server, 'ann').get(`/api/v1/path${path}/@acl`).expect(403);
    expect(body.message).toBe(`Privilege 'ReadSecurity' is not granted to 'ann' on the document at ${path}.`);
  });

  test('costs at most three statements', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Read'), { ...grant('ann', 'Write'), end: '2998-01-01' }]);
    expect(statements(await server.request.get(`/api/v1/path${path}/@acl`))).toBeLessThanOrEqual(3);
    expect(statements(await server.request.get(`/api/v1/path${path}/@acl`))).toBe(2);
  });
});

describe('reading the ACLs of many documents', () => {
  test('costs the same number of statements for 20 documents as for 2', async () => {
    const cost = async (count: number) => {
      const { path } = await createDocument(server, { type: 'Folder' });
      for (let index = 0; index < count; index += 1) {
        const child = await createDocument(server, { parent: path });
        await setAcl(server, child.path, [
          { ...grant('ann', 'Read'), end: `${2900 + count}-01-${index + 10}` },
        ]);
      }
      const query = `query ($path: String!) {
        document(path: $path) {
          children { entries { acls { name aces { id externalUser } } contextParameters { permissions } } }
        }
      }`;
      const response = await server.request.post('/graphql').send({ query, variables: { path } });
      const { entries } = response.body.data.document.children;
      expect(entries).toHaveLength(count);
      for (const { acls } of entries) expect(acls).toHaveLength(2);
      return statements(response);
    };
    const few = await cost(2);
    expect(few).toBeLessThanOrEqual(4);
    expect(await cost(20)).toBe(few);
  });
});
