import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument } from '../support/factories.ts';
import { start, statements, type TestServer } from '../support/server.ts';
import { as, createUser } from '../support/users.ts';

let server: TestServer;
beforeAll(async () => {
  server = await start();
  await createUser(server, 'ann');
  await createUser(server, 'a:b');
});
afterAll(() => server.stop());

const entry = (username: string, permission: string, creator: string | null, granted = true) => ({
  id: `${username}:${permission}:${granted}:${creator ?? ''}::`,
  ...{ username, permission, granted, creator, begin: null, end: null, status: 'effective' },
});
const stock = [entry('Administrator', 'Everything', null), entry('members', 'Read', null)];
const block = entry('Everyone', 'Everything', null, false);

const aclOf = async (address: string) =>
  (await server.request.get(`/api/v1${address}/@acl`).expect(200)).body;

describe('§1 the ACLs that a repository starts with', () => {
  test('the root’s own', async () => {
    expect(await aclOf('/path')).toEqual({ 'entity-type': 'acls', acl: [{ name: 'local', ace: stock }] });
  });

  test.each(['/path/default-domain', '/path/default-domain/workspaces', '/path/default-domain/templates'])(
    'those of the root at %s',
    async (address) => {
      expect(await aclOf(address)).toEqual({
        'entity-type': 'acls',
        acl: [{ name: 'inherited', ace: stock }],
      });
    },
  );

  test('another one for the sections', async () => {
    expect((await aclOf('/path/default-domain/sections')).acl).toEqual([
      { name: 'local', ace: [entry('members', 'CanAskForPublishing', null)] },
      { name: 'inherited', ace: stock },
    ]);
  });

  test('of every repository, with the administrator of the settings', async () => {
    const own = await start({
      REPOSITORIES: 'default,other',
      ADMIN_USERNAME: 'root',
      ADMIN_PASSWORD: 'toor',
    });
    try {
      const { body } = await own.anonymous
        .get('/api/v1/repo/other/path/@acl')
        .auth('root', 'toor')
        .expect(200);
      expect(body.acl).toEqual([
        { name: 'local', ace: [entry('root', 'Everything', null), entry('members', 'Read', null)] },
      ]);
    } finally {
      await own.stop();
    }
  });
});

describe('§2.5 GET …/@acl', () => {
  test('shows ACLs of tasks, then the local one, then what is above, the nearest first', async () => {
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

  test('shows times and status', async () => {
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
      ...{ begin, end, status: 'archived' },
      id: `ann:Read:true:Administrator:${Date.parse(begin)}:${Date.parse(end)}`,
    });
  });

  test('shows nothing of the ancestors behind a block', async () => {
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

  test('an emptied ACL is gone', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Read')]);
    await setAcl(server, path, []);
    expect((await aclOf(`/path${path}`)).acl).toEqual([{ name: 'inherited', ace: stock }]);
    expect(await server.database.prisma.documentAcl.count({ where: { acls: { equals: [] } } })).toBe(0);
  });

  test('a root without ACLs shows an empty list', async () => {
    const own = await start();
    try {
      await setAcl(own, '/', []);
      const { body } = await own.request.get('/api/v1/path/@acl').expect(200);
      expect(body).toEqual({ 'entity-type': 'acls', acl: [] });
    } finally {
      await own.stop();
    }
  });

  test('404 where there is no document, 405 for writing', async () => {
    await server.request.get('/api/v1/path/nosuch/@acl').expect(404);
    await server.request.get('/api/v1/id/nosuch/@acl').expect(404);
    await server.request.put('/api/v1/path/default-domain/@acl').send({}).expect(405);
  });

  test('needs ReadSecurity besides', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [deny('ann', 'ReadSecurity'), grant('ann', 'Read')]);
    await as(server, 'ann').get(`/api/v1/path${path}`).expect(200);
    const { body } = await as(server, 'ann').get(`/api/v1/path${path}/@acl`).expect(403);
    expect(body.message).toBe("Privilege 'ReadSecurity' is not granted to 'ann'");
  });

  test('costs at most three statements', async () => {
    const { path } = await createDocument(server);
    await setAcl(server, path, [grant('ann', 'Read'), { ...grant('ann', 'Write'), end: '2998-01-01' }]);
    expect(statements(await server.request.get(`/api/v1/path${path}/@acl`))).toBeLessThanOrEqual(3);
    expect(statements(await server.request.get(`/api/v1/path${path}/@acl`))).toBe(2);
  });
});

describe('The ACLs of many documents at once', () => {
  test('cost as many statements for 20 as for 2', async () => {
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
