import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { workspaceName } from '../../../src/model/user-workspaces.ts';
import { checkConsistency } from '../../store/consistency.ts';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer({ REPOSITORIES: 'default,other' });
checkConsistency(server);

const home = (who: TestServer['request']) => call(who, 'User.GetUserWorkspace');
const root = '/default-domain/UserWorkspaces';

describe('User.GetUserWorkspace', () => {
  test('answers with the caller’s workspace, created by the first call and titled with the full name', async () => {
    const ann = as(server, await createUser(server, 'ann'));
    await server.request
      .put('/api/v1/user/ann')
      .send({ 'entity-type': 'user', id: 'ann', properties: { firstName: 'Ann', lastName: 'Smith' } })
      .expect(200);
    const { body } = await home(ann).expect(200);
    expect(body).toMatchObject({
      type: 'Workspace',
      path: `${root}/ann`,
      title: 'Ann Smith',
      properties: { 'dc:creator': 'ann', 'dc:title': 'Ann Smith' },
    });
    const again = await home(ann).expect(200);
    expect(again.body.uid).toBe(body.uid);
    expect(statements(again)).toBeLessThanOrEqual(3);
    const above = await server.request.get(`/api/v1/path${root}`).expect(200);
    expect(above.body).toMatchObject({ type: 'UserWorkspacesRoot', uid: body.parentRef });
  });

  test('creates a workspace in which only its owner has permissions', async () => {
    const [cat, dan] = [
      as(server, await createUser(server, 'cat', ['members'])),
      as(server, await createUser(server, 'dan', ['members'])),
    ];
    const { path } = (await home(cat).expect(200)).body;
    const inside = await createDocument({ request: cat }, { parent: path });
    await cat.delete(`/api/v1/id/${inside.uid}`).expect(204);
    for (const each of [path, root]) await dan.get(`/api/v1/path${each}`).expect(403);
    const { body } = await cat.get(`/api/v1/path${path}/@acl`).expect(200);
    expect(body.acl).toMatchObject([
      { name: 'local', ace: [{ id: 'cat:Everything:true:::' }] },
      { name: 'inherited', ace: [{ id: 'Everyone:Everything:false:::' }] },
    ]);
  });

  test('creates one workspace per user when first calls are concurrent', async () => {
    const users = await Promise.all(['x1', 'x2', 'x3'].map((name) => createUser(server, name)));
    const other = { Repository: 'other' };
    const answers = await Promise.all(
      [...users, ...users, ...users].map((name) => home(as(server, name)).set(other)),
    );
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ body }) => body.uid)).size).toBe(3);
    const where = { repository: 'other', type: 'UserWorkspacesRoot' };
    expect(await server.database.prisma.document.count({ where })).toBe(1);
  });

  test('has its root made by the server alone', async () => {
    const eve = as(server, await createUser(server, 'eve', ['members']));
    const { path } = await createDocument(server, { type: 'Folder' });
    await setAcl(server, path, [grant('eve', 'Everything')]);
    const root = { 'entity-type': 'document', type: 'UserWorkspacesRoot', name: 'UserWorkspaces' };
    const { body } = await eve.post(`/api/v1/path${path}`).send(root).expect(403);
    expect(body.message).toBe(
      'Only the server creates documents of type UserWorkspacesRoot, together with the first workspace of a user.',
    );
  });

  test('refuses user names that no document can have', async () => {
    for (const name of ['..', ' blank', `${'b'.repeat(250)}/&`]) {
      const { body } = await home(as(server, await createUser(server, name))).expect(400);
      expect(body.message).toMatch(/cannot be the name of a workspace\.$|^name: /);
    }
  });

  test.each([
    ['a/b', 'a~2fb'],
    ['~a\\b?c&d;e@f', '~7ea~5cb~3fc~26d~3be~40f'],
    ['é ü', 'é ü'],
  ])('encodes the user name %s in the path as %s', async (user, name) => {
    expect((await home(as(server, await createUser(server, user))).expect(200)).body.path).toBe(
      `${root}/${name}`,
    );
  });
});

describe('The name of a workspace', () => {
  test('is unique to its user and free of reserved characters', () => {
    const text = fc.string({ unit: fc.constantFrom('~', '/', '2', '7', 'e', 'f', '@', 'a') });
    fc.assert(
      fc.property(text, text, (one, other) => {
        expect(workspaceName(one) === workspaceName(other)).toBe(one === other);
        expect(workspaceName(one)).not.toMatch(/[/\\?&;@]/);
      }),
    );
  });
});
