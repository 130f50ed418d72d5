import { describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { createUser, useUsers } from '../../support/users.ts';
import { acquiring, device } from './token-requests.ts';

const server = useServer();
useUsers(server, 'ann', 'bob', 'Žofie Ünal');

const { acquire, tokenOf, read } = acquiring(server);

describe('§5 /token', () => {
  const list = (user: string, query = {}) =>
    server.anonymous.get('/api/v1/token').auth(user, 'secret').query(query);

  test('GET lists the user’s own tokens without the token values', async () => {
    await createUser(server, 'lister');
    const token = await tokenOf('lister', 'd1');
    await acquire('lister', { ...device, applicationName: 'other', deviceId: 'd2' }).expect(201);
    const { body, text } = await list('lister').expect(200);
    expect(body).toEqual({
      'entity-type': 'tokens',
      entries: [
        {
          'entity-type': 'token',
          id: expect.stringMatching(/^[\da-f-]{36}$/),
          username: 'lister',
          application: 'app',
          deviceId: 'd1',
          deviceDescription: 'Phone',
          permission: 'rw',
          creationDate: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          lastUsed: null,
        },
        expect.objectContaining({ application: 'other', deviceId: 'd2' }),
      ],
    });
    expect(text).not.toContain(token);
  });

  test('GET lists the tokens of one application', async () => {
    const { body } = await list('lister', { application: 'other' }).expect(200);
    expect(body.entries.map(({ deviceId }: { deviceId: string }) => deviceId)).toEqual(['d2']);
    for (const application of ['nosuch', '\0']) {
      expect((await list('lister', { application }).expect(200)).body.entries).toEqual([]);
    }
  });

  test('GET costs the same number of SQL statements for one token as for many', async () => {
    await list('ann');
    const many = statements(await list('ann').expect(200));
    await createUser(server, 'few');
    await list('few');
    expect(statements(await list('few').expect(200))).toBe(many);
  });

  test('POST creates a token and answers it as text', async () => {
    const query = { application: 'posted', deviceId: 'd', deviceDescription: 'x', permission: 'rw' };
    const post = () => server.anonymous.post('/api/v1/token').auth('ann', 'secret').query(query);
    const { text, headers } = await post().expect(201);
    expect(headers['content-type']).toMatch(/^text\/plain/);
    await read(text).expect(200);
    expect((await post().expect(201)).text).toBe(text);
    const { body } = await list('ann', { application: 'posted' });
    expect(body.entries).toEqual([expect.objectContaining({ deviceId: 'd', permission: 'rw' })]);
  });

  test('POST requires only an application', async () => {
    const post = (query: Record<string, string>) =>
      server.anonymous.post('/api/v1/token').auth('ann', 'secret').query(query);
    await post({ application: 'alone' }).expect(201);
    expect((await post({ deviceId: 'd' }).expect(400)).body.message).toContain('application is missing');
  });

  const remove = (user: string, id: string) =>
    server.anonymous.delete(`/api/v1/token/${id}`).auth(user, 'secret');
  const idOf = async (user: string, deviceId: string): Promise<string> => {
    const { body } = await list(user);
    return body.entries.find((entry: { deviceId: string }) => entry.deviceId === deviceId).id;
  };

  test('DELETE by its owner revokes the token at once', async () => {
    const token = await tokenOf('ann', 'mine');
    await read(token).expect(200);
    const id = await idOf('ann', 'mine');
    await remove('ann', id).expect(204);
    await read(token).expect(401);
    await remove('ann', id).expect(404);
  });

  test('DELETE takes the token itself in place of its id', async () => {
    const [token, other] = [await tokenOf('ann', 'lost'), await tokenOf('ann', 'kept')];
    await remove('bob', token).expect(403);
    await read(token).expect(200);
    await remove('ann', token).expect(204);
    await read(token).expect(401);
    await read(other).expect(200);
    await remove('ann', token).expect(404);
    await remove('ann', other.toUpperCase()).expect(404);
    await server.request.delete(`/api/v1/token/${other}`).expect(204);
    await read(other).expect(401);
  });

  test('DELETE by another user answers 403 and revokes nothing; administrators get 204', async () => {
    const token = await tokenOf('ann', 'theirs');
    const id = await idOf('ann', 'theirs');
    await remove('bob', id).expect(403);
    await read(token).expect(200);
    await server.request.delete(`/api/v1/token/${id}`).expect(204);
    await read(token).expect(401);
  });

  test.each(['nosuch', '00000000-0000-4000-8000-000000000000'])(
    'DELETE of the unknown id %s answers 404',
    async (id) => {
      await remove('ann', id).expect(404);
    },
  );
});
