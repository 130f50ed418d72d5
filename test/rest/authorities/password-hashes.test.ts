import { describe, expect, test } from '@jest/globals';
import { hashPassword, verifyPassword } from '../../../src/store/authorities/passwords.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { password } from '../../support/users.ts';
import { atUser, postUser, userBody } from './authority-requests.ts';

// A transaction that held its connection while it waits for a hash would make all other requests wait.
const server = useServer({ DATABASE_CONNECTIONS: '1' });

/** Sends a request that needs a hash while many others wait for theirs, and reads meanwhile. */
async function whileHashing(send: () => PromiseLike<{ readonly status: number }>): Promise<number> {
  await server.request.get('/api/v1/me').expect(200); // verified once, and remembered
  const others = Array.from({ length: 60 }, () => hashPassword('of another request'));
  let isDone = false;
  const sent = Promise.resolve(send()).finally(() => {
    isDone = true;
  });
  for (let count = 0; count < 5; count += 1) await server.request.get('/api/v1/path/').expect(200);
  expect(isDone).toBe(false);
  const { status } = await sent;
  await Promise.all(others);
  return status;
}

const hashOf = async (id: string) =>
  (await server.database.prisma.user.findUniqueOrThrow({ where: { id } })).passwordHash;

describe('A hash of a password holds no connection while it is computed', () => {
  test('when a user is created', async () => {
    const body = userBody({ username: 'made', password: 'of made' });
    expect(await whileHashing(() => server.request.post('/api/v1/user').send(body))).toBe(201);
    expect(await verifyPassword(await hashOf('made'), 'of made')).toBe(true);
  });

  test('when a user gets another password', async () => {
    const id = await postUser(server);
    const body = userBody({ username: id, password: 'changed' });
    expect(await whileHashing(() => server.request.put(atUser(id)).send(body))).toBe(200);
    expect(await verifyPassword(await hashOf(id), 'changed')).toBe(true);
  });

  test('when users change their own passwords', async () => {
    const id = await postUser(server);
    const login = `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`;
    await server.anonymous.get('/api/v1/me').set('Authorization', login).expect(200);
    const body = { oldPassword: password, newPassword: 'my own' };
    const put = () =>
      server.anonymous.put('/api/v1/me/changepassword').set('Authorization', login).send(body);
    expect(await whileHashing(put)).toBe(200);
    expect(await verifyPassword(await hashOf(id), 'my own')).toBe(true);
  });

  test('when an operation creates a user', async () => {
    const params = { username: 'operated', password: 'of operated' };
    expect(await whileHashing(() => call(server.request, 'User.CreateOrUpdate', { params }))).toBe(204);
    expect(await verifyPassword(await hashOf('operated'), 'of operated')).toBe(true);
  });

  test('when OAuth clients are created and changed', async () => {
    const at = '/api/v1/directory/oauth2Clients';
    const properties = {
      clientId: 'app',
      name: 'App',
      clientSecret: 'secret',
      redirectURIs: 'https://a.example',
    };
    const body = { 'entity-type': 'directoryEntry', directoryName: 'oauth2Clients', properties };
    expect(await whileHashing(() => server.request.post(at).send(body))).toBe(201);
    const row = async () =>
      server.database.prisma.oAuth2Client.findFirstOrThrow({ where: { clientId: 'app' } });
    const { id, secretHash } = await row();
    expect(await verifyPassword(secretHash, 'secret')).toBe(true);
    const changed = { ...body, properties: { ...properties, id, clientSecret: 'other' } };
    expect(await whileHashing(() => server.request.put(`${at}/${id}`).send(changed))).toBe(200);
    expect(await verifyPassword((await row()).secretHash, 'other')).toBe(true);
  });
});
