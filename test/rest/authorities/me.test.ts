import { describe, expect, test } from '@jest/globals';
import { exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, password } from '../../support/users.ts';
import { atUser, postUser, userBody } from './authority-requests.ts';

const server = useServer();

describe('§4.3 GET /me', () => {
  test('answers the entity of the caller, in at most three statements', async () => {
    const id = await postUser(server, { firstName: 'Jane', groups: ['members'] });
    const response = await as(server, id).get('/api/v1/me').expect(200);
    expect(response.body).toEqual((await server.request.get(atUser(id))).body);
    expect(response.body).toMatchObject({ id, isAdministrator: false });
    expect(statements(response)).toBeLessThanOrEqual(3);
    expect((await server.request.get('/api/v1/me').expect(200)).body).toMatchObject({
      id: 'Administrator',
      isAdministrator: true,
    });
  });
});

describe('§4.3 PUT /me/changepassword', () => {
  const change = (id: string, password: string, body: object) =>
    server.anonymous.put('/api/v1/me/changepassword').auth(id, password).send(body);
  const me = (id: string, password: string) => server.anonymous.get('/api/v1/me').auth(id, password);

  test('answers 200 with the user entity; only the new password is accepted from then on', async () => {
    const id = await postUser(server);
    const response = await change(id, password, { oldPassword: password, newPassword: 'päss:word ' }).expect(
      200,
    );
    expect(response.body).toMatchObject({ 'entity-type': 'user', id });
    expect(JSON.stringify(response.body)).not.toMatch(/argon|password|päss/i);
    await me(id, password).expect(401);
    await me(id, 'päss:word ').expect(200);
  });

  test('answers 401 for a wrong old password, and changes nothing', async () => {
    const id = await postUser(server);
    const response = await change(id, password, { oldPassword: `${password}x`, newPassword: 'new' }).expect(
      401,
    );
    expect(response.body).toMatchObject(exception(401, expect.stringContaining('oldPassword')));
    await me(id, 'new').expect(401);
    await me(id, password).expect(200);
  });

  test.each([
    ['no old password', { newPassword: 'x' }],
    ['no new password', { oldPassword: 'x' }],
    ['an empty new password', { oldPassword: 'x', newPassword: '' }],
    ['a new password that is no text', { oldPassword: 'x', newPassword: 1 }],
    ['null', { oldPassword: null, newPassword: null }],
    ['a NUL', { oldPassword: 'x', newPassword: 'a\0' }],
    ['a list', []],
  ])('answers 400 for %s', async (_, body) => {
    const response = await server.request.put('/api/v1/me/changepassword').send(body).expect(400);
    expect(response.body).toMatchObject(exception(400, expect.stringMatching(/./)));
  });

  test('answers 403 for a user without a password, and says who can set one', async () => {
    const id = await postUser(server);
    const { text: token } = await as(server, id).post('/api/v1/token?application=Phone').expect(201);
    await server.database.prisma.user.update({ where: { id }, data: { passwordHash: null } });
    const response = await server.anonymous
      .put('/api/v1/me/changepassword')
      .set('X-Authentication-Token', token)
      .send({ oldPassword: '', newPassword: 'new' })
      .expect(403);
    const message = `${id} has no password on this server. Ask an administrator to set one.`;
    expect(response.body).toMatchObject(exception(403, message));
  });

  test('needs no permission to manage users', async () => {
    const id = await postUser(server, { groups: [] });
    await as(server, id)
      .put(atUser(id))
      .send(userBody({ password: 'new' }, { id }))
      .expect(403);
    await change(id, password, { oldPassword: password, newPassword: 'new' }).expect(200);
  });

  test('answers 401 without credentials', async () => {
    const body = { oldPassword: 'Administrator', newPassword: 'x' };
    await server.anonymous.put('/api/v1/me/changepassword').send(body).expect(401);
    await server.request.get('/api/v1/me').expect(200);
  });
});

describe('§4.3 passwords and administrators', () => {
  test('a password is never returned, nor its hash', async () => {
    const password = 'an-odd-password';
    const id = await postUser(server, { password });
    const put = userBody({ password }, { id });
    for (const response of [
      await server.request.get(atUser(id)).expect(200),
      await server.request.put(atUser(id)).send(put).expect(200),
      await server.request.get('/api/v1/user/search?q=*').expect(200),
      await server.request.get(`/api/v1/user/search?q=${id}`).expect(200),
    ]) {
      expect(response.text).not.toMatch(/argon|password/i);
    }
  });

  test('the password of the administrator cannot be removed', async () => {
    const body = userBody({ password: null }, { id: 'Administrator' });
    const response = await server.request.put(atUser('Administrator')).send(body).expect(409);
    expect(response.body).toMatchObject(exception(409, expect.stringContaining('password')));
    await server.request.get('/api/v1/me').expect(200);
  });

  test('the administrator keeps isAdministrator without the group', async () => {
    const body = userBody({ groups: [] }, { id: 'Administrator' });
    const response = await server.request.put(atUser('Administrator')).send(body).expect(200);
    expect(response.body).toMatchObject({ isAdministrator: true, properties: { groups: [] } });
    await server.request.post(atUser('Administrator', '/group/administrators')).expect(201);
  });
});

describe('§4.3 PUT /me/notifications', () => {
  const at = '/api/v1/me/notifications';
  const body = (choice: object) => ({ 'entity-type': 'notifications', ...choice });

  test('changes only the fields of the body, and only those of the caller', async () => {
    const [own, other] = [as(server, await postUser(server)), as(server, await postUser(server))];
    const change = async (choice: object, frequency: string, language: string | null) => {
      const changed = body({ byMail: frequency !== 'never', frequency, language });
      await own.put(at).send(body(choice)).expect(200, changed);
      await own.get(at).expect(200, changed);
    };
    await change({}, 'immediately', null);
    await change({ language: 'fr' }, 'immediately', 'fr');
    await change({ byMail: false }, 'never', 'fr');
    await change({ byMail: null, language: null }, 'never', null);
    await change({ frequency: 'daily' }, 'daily', null);
    await change({ byMail: true }, 'daily', null);
    // A client that does not know the frequency sends back the one that it has read.
    await change({ byMail: false, frequency: 'daily' }, 'never', null);
    await change({ byMail: true, frequency: 'never' }, 'immediately', null);
    await other.get(at).expect(200, body({ byMail: true, frequency: 'immediately', language: null }));
  });

  test.each([
    [body({ language: 'de' }), 'language: "de" is not one of en, fr'],
    [body({ language: 1 }), 'language must be a string'],
    [body({ byMail: 'yes' }), 'byMail must be true or false.'],
    [body({ frequency: 'weekly' }), 'frequency: "weekly" is not one of immediately, daily, never'],
    [body({ frequency: 1 }), 'frequency must be a string'],
    [{ byMail: false }, 'entity-type must be "notifications"; it is missing'],
  ])('answers 400 for %j, and changes nothing', async (sent, message) => {
    const own = as(server, await postUser(server));
    const response = await own.put(at).send(sent).expect(400);
    expect(response.body.message).toContain(message);
    await own.get(at).expect(200, body({ byMail: true, frequency: 'immediately', language: null }));
  });
});
