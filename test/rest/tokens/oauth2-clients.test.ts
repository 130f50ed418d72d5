import { beforeAll, describe, expect, test } from '@jest/globals';
import { codeFor, exchange, read, redirect, tokensFor } from '../../oauth2/flow.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
beforeAll(async () => {
  await createUser(server, 'ann');
  await createUser(server, 'pat', ['powerusers']);
});

const list = '/api/v1/oauth2/client';
const at = (id: string) => `${list}/${encodeURIComponent(id)}`;
const body = (fields: object) => ({ 'entity-type': 'oauth2Client', ...fields });
const create = (fields: object) => server.request.post(list).send(body(fields));
const change = (id: string, fields: object) => server.request.put(at(id)).send(body(fields));
const app = { name: 'The app', redirectURIs: [redirect] };

describe('§5 POST /oauth2/client', () => {
  test('registers an application, as an entry of the directory, and shows no secret', async () => {
    const made = await create({ ...app, id: 'one', secret: 'hidden', isAutoGrant: true }).expect(201);
    expect(made.headers['content-type']).toContain('nuxeo-entity=oauth2Client');
    const shown = { ...app, id: 'one', isAutoGrant: true, isEnabled: true, 'entity-type': 'oauth2Client' };
    expect(made.body).toEqual(shown);
    expect((await server.request.get(at('one')).expect(200)).body).toEqual(shown);
    const { body: entries } = await server.request.get('/api/v1/directory/oauth2Clients').expect(200);
    expect(entries.entries.map((entry: { properties: object }) => entry.properties)).toContainEqual(
      expect.objectContaining({ clientId: 'one', clientSecret: '', redirectURIs: redirect }),
    );
    const grant = async (client_secret?: string) =>
      (
        await exchange(server, await codeFor(server, { client_id: 'one' }), {
          client_id: 'one',
          client_secret,
        })
      ).status;
    expect([await grant(), await grant('other'), await grant('hidden')]).toEqual([400, 400, 200]);
  });

  test.each(['secret', 'clientSecret'])('a %s keeps an application from being a public one', async (name) => {
    const id = `with ${name}`;
    await create({ ...app, id, [name]: 'hidden' }).expect(201);
    expect((await exchange(server, await codeFor(server, { client_id: id }), { client_id: id })).status).toBe(
      400,
    );
  });

  test('takes redirect URIs as a text, too, and an empty secret for none', async () => {
    const two = `${redirect}, https://app.example.org/other`;
    const { body: made } = await create({ id: 'text', secret: '', redirectURIs: two }).expect(201);
    expect(made).toMatchObject({ name: '', redirectURIs: [redirect, 'https://app.example.org/other'] });
    await tokensFor(server, 'ann', { client_id: 'text' });
  });

  test('an id that is taken is 409, by an entry of the directory as well', async () => {
    await create({ id: 'taken' }).expect(201);
    expect((await create({ id: 'taken' }).expect(409)).body.message).toBe(
      'clientId: taken is taken. Choose another one.',
    );
  });

  test.each([
    [{}, 'clientId must consist of printable ASCII characters'],
    [{ id: '' }, 'clientId must consist of printable ASCII characters'],
    [{ id: 7 }, 'id must be a string.'],
    [{ id: 'bad', name: ['x'] }, 'name must be a string.'],
    [{ id: 'bad', secret: 7 }, 'secret must be a string.'],
    [{ id: 'bad', isEnabled: 'yes' }, 'isEnabled must be true or false.'],
    [{ id: 'bad', redirectURIs: {} }, 'redirectURIs must be a list.'],
    [
      { id: 'bad', redirectURIs: ['http://a.org/'] },
      /^redirectURIs: http:\/\/a.org\/ must begin with https:/,
    ],
    [
      { id: 'bad', redirectURIs: 'javascript:alert(1)' },
      'redirectURIs: javascript:alert(1) must not begin with javascript:',
    ],
    [{ id: 'bad', name: '\0' }, 'strings must not contain the NUL character'],
    [{ id: 'bad', 'entity-type': 'client' }, 'entity-type must be "oauth2Client"; got "client".'],
  ])('%j is 400, and nothing is stored', async (fields, message) => {
    const answer = await create(fields).expect(400);
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    );
    await server.request.get(at('bad')).expect(404);
  });

  test('what is no JSON is 400, and a form 415', async () => {
    await server.request.post(list).set('Content-Type', 'application/json').send('{').expect(400);
    await server.request.post(list).type('form').send({ id: 'form' }).expect(415);
  });
});

describe('§5 PUT /oauth2/client/ID', () => {
  test('changes what the body has; the secret stays unless it has another', async () => {
    await create({ ...app, id: 'kept', secret: 'old' }).expect(201);
    const grant = async (client_secret?: string) =>
      (
        await exchange(server, await codeFor(server, { client_id: 'kept' }), {
          client_id: 'kept',
          client_secret,
        })
      ).status;
    const { body: shown } = await server.request.get(at('kept')).expect(200);
    expect((await server.request.put(at('kept')).send(shown).expect(200)).body).toEqual(shown);
    expect((await change('kept', { name: 'New' }).expect(200)).body).toEqual({ ...shown, name: 'New' });
    await change('kept', { secret: '', isEnabled: null }).expect(200);
    expect([await grant(), await grant('old')]).toEqual([400, 200]);
    await change('kept', { secret: 'new' }).expect(200);
    expect([await grant('old'), await grant('new')]).toEqual([400, 200]);
    await change('kept', { secret: null }).expect(200);
    expect(await grant()).toBe(200);
  });

  test('one that is switched off gets no tokens, and its tokens are refused', async () => {
    await create({ ...app, id: 'off' }).expect(201);
    const { access_token } = await tokensFor(server, 'ann', { client_id: 'off' });
    await read(server, access_token).expect(200);
    expect((await change('off', { isEnabled: false }).expect(200)).body.isEnabled).toBe(false);
    await read(server, access_token).expect(401);
  });

  test('another id renames it, unless it is taken', async () => {
    await create({ ...app, id: 'before' }).expect(201);
    await create({ ...app, id: 'occupied' }).expect(201);
    await change('before', { id: 'occupied' }).expect(409);
    expect((await change('before', { id: 'after' }).expect(200)).body.id).toBe('after');
    await server.request.get(at('before')).expect(404);
  });

  test('a missing one is 404, a bad body 400', async () => {
    for (const id of ['nosuch', 'a/b', 'x\0', '1']) {
      const { body: said } = await change(id, { name: 'x' }).expect(404);
      expect(said.message).toBe(`There is no OAuth client ${id}.`);
    }
    await create({ id: 'bad body' }).expect(201);
    await change('bad body', { redirectURIs: ['/relative'] }).expect(400);
    await change('bad body', { 'entity-type': 'user' }).expect(400);
  });
});

describe('§5 DELETE /oauth2/client/ID', () => {
  test('ends all that was granted to it', async () => {
    await create({ ...app, id: 'gone/now' }).expect(201);
    const { access_token } = await tokensFor(server, 'ann', { client_id: 'gone/now' });
    await server.request.delete(at('gone/now')).expect(204);
    await read(server, access_token).expect(401);
    await server.request.get(at('gone/now')).expect(404);
    await server.request.delete(at('gone/now')).expect(404);
  });
});

describe('§5 the clients are for administrators alone', () => {
  const calls = [
    ['post', list],
    ['get', at('secret one')],
    ['put', at('secret one')],
    ['delete', at('secret one')],
    ['get', at('nosuch')],
    ['put', at('nosuch')],
    ['delete', at('nosuch')],
  ] as const;

  test.each(calls)(
    '%s %s is 403 for users and power users, 401 without credentials',
    async (method, path) => {
      await create({ id: 'secret one', name: 'Before' });
      const sent = body({ id: 'secret one', name: 'Theirs' });
      for (const user of ['ann', 'pat']) await as(server, user)[method](path).send(sent).expect(403);
      await server.anonymous[method](path).send(sent).expect(401);
      const { body: shown } = await server.request.get(at('secret one')).expect(200);
      expect(shown.name).toBe('Before');
    },
  );

  test('another verb is 405 with those that there are', async () => {
    const { headers } = await server.request.delete(list).expect(405);
    expect(headers.allow).toContain('POST');
  });
});

test('§5 the list of clients costs as many statements for many as for few', async () => {
  const few = await server.request.get(list).expect(200);
  for (const id of ['more 1', 'more 2', 'more 3']) await create({ id }).expect(201);
  const many = await server.request.get(list).expect(200);
  expect(many.body.entries).toHaveLength(few.body.entries.length + 3);
  expect(statements(many)).toBe(statements(few));
});

test('§5 by GraphQL a client is addressed by its id or by its client id, by one of them', async () => {
  const ask = async (query: string) => (await server.request.post('/graphql').send({ query })).body;
  await create({ id: 'by name' }).expect(201);
  expect((await ask('{ client(clientId: "by name") { clientId } }')).data.client).toEqual({
    clientId: 'by name',
  });
  for (const both of ['', '(id: 1, clientId: "by name")']) {
    const { errors } = await ask(`mutation { deleteOAuth2Client${both} }`);
    expect(errors[0].message).toBe(
      'Either the id or the clientId of the OAuth client must be given, but not both.',
    );
  }
  const { data } = await ask('mutation { deleteOAuth2Client(clientId: "by name") }');
  expect(data.deleteOAuth2Client).toEqual(expect.any(Number));
});
