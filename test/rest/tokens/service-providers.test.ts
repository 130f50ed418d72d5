import { beforeAll, describe, expect, test } from '@jest/globals';
import { statements, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';

const server = useServer();
beforeAll(async () => {
  await createUser(server, 'ann');
  await createUser(server, 'pat', ['powerusers']);
});

const list = '/api/v1/oauth2/provider';
const at = (name: string) => `${list}/${encodeURIComponent(name)}`;
const body = (fields: object) => ({ 'entity-type': 'nuxeoOAuth2ServiceProvider', ...fields });
const create = (fields: object) => server.request.post(list).send(body(fields));
const change = (name: string, fields: object) => server.request.put(at(name)).send(body(fields));
/** The entries of the directory with this name, the secret as it is stored. */
const stored = async (serviceName: string) =>
  (
    await server.database.prisma.directoryEntry.findMany({ where: { directory: 'oauth2ServiceProviders' } })
  ).flatMap(({ properties }) => {
    const fields = properties as Record<string, unknown>;
    return fields.serviceName === serviceName ? [fields] : [];
  });

const elsewhere = {
  description: 'Elsewhere',
  clientId: 'our id',
  authorizationServerURL: 'https://elsewhere.example.org/authorize',
  tokenServerURL: 'https://elsewhere.example.org/token',
  userAuthorizationURL: 'https://elsewhere.example.org/me',
  scopes: ['read', 'write'],
};

describe('§5 POST /oauth2/provider', () => {
  test('registers a service, as an entry of the directory, and shows no secret', async () => {
    const fields = { ...elsewhere, serviceName: 'drive', isEnabled: true };
    const made = await create({ ...fields, clientSecret: 'hidden' }).expect(201);
    expect(made.headers['content-type']).toContain('nuxeo-entity=nuxeoOAuth2ServiceProvider');
    const shown = body({ ...fields, isAvailable: false, authorizationURL: null });
    expect(made.body).toEqual(shown);
    expect((await server.request.get(at('drive')).expect(200)).body).toEqual(shown);
    const { isEnabled: enabled, ...others } = fields;
    expect(await stored('drive')).toEqual([
      expect.objectContaining({ ...others, enabled, scopes: 'read,write', clientSecret: 'hidden' }),
    ]);
  });

  test('is not enabled unless the body says so; scopes may be a text', async () => {
    const { body: made } = await create({ serviceName: 'plain', scopes: 'read, write' }).expect(201);
    expect(made).toMatchObject({ isEnabled: false, scopes: ['read', 'write'], tokenServerURL: null });
  });

  test('a name that is taken is 409, of two at once for one', async () => {
    await create({ serviceName: 'twice' }).expect(201);
    const { body: said } = await create({ serviceName: 'twice' }).expect(409);
    expect(said.message).toBe('serviceName: twice is taken. Choose another one.');
    for (let round = 0; round < 3; round += 1) {
      const serviceName = `at once ${round}`;
      const answers = await Promise.all([create({ serviceName }), create({ serviceName })]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect(await stored(serviceName)).toHaveLength(1);
    }
  });

  test.each([
    [{}, 'serviceName is missing'],
    [{ serviceName: ' ' }, 'serviceName is missing'],
    [{ serviceName: 1 }, 'serviceName must be a string.'],
    [{ serviceName: 'bad', scopes: 1 }, 'scopes must be a list.'],
    [{ serviceName: 'bad', isEnabled: 'yes' }, 'isEnabled must be true or false.'],
    [{ serviceName: 'bad\0' }, 'strings must not contain the NUL character'],
    [
      { serviceName: 'bad', 'entity-type': 'provider' },
      'entity-type must be "nuxeoOAuth2ServiceProvider"; got "provider".',
    ],
  ])('%j is 400, and nothing is stored', async (fields, message) => {
    const before = await server.database.prisma.directoryEntry.count();
    expect((await create(fields).expect(400)).body.message).toBe(message);
    expect(await server.database.prisma.directoryEntry.count()).toBe(before);
  });
});

describe('§5 PUT /oauth2/provider/NAME', () => {
  test('changes what the body has; null clears, and the secret stays when it is empty', async () => {
    await create({ ...elsewhere, serviceName: 'changing', clientSecret: 'hidden' }).expect(201);
    const { body: shown } = await server.request.get(at('changing')).expect(200);
    expect((await server.request.put(at('changing')).send(shown).expect(200)).body).toEqual(shown);
    const { body: changed } = await change('changing', { isEnabled: true, description: null }).expect(200);
    expect(changed).toEqual({ ...shown, isEnabled: true, description: null });
    await change('changing', { clientSecret: '' }).expect(200);
    expect(await stored('changing')).toEqual([expect.objectContaining({ clientSecret: 'hidden' })]);
    await change('changing', { clientSecret: null }).expect(200);
    expect((await stored('changing'))[0]).not.toHaveProperty('clientSecret');
  });

  test('another name renames it, unless it is taken or none', async () => {
    await create({ serviceName: 'old name' }).expect(201);
    await create({ serviceName: 'occupied' }).expect(201);
    await change('old name', { serviceName: 'occupied' }).expect(409);
    await change('old name', { serviceName: null }).expect(400);
    expect((await change('old name', { serviceName: 'new name' }).expect(200)).body.serviceName).toBe(
      'new name',
    );
    await server.request.get(at('old name')).expect(404);
  });

  test('a missing one is 404, a bad body 400', async () => {
    for (const name of ['nosuch', 'a/b', 'x\0']) {
      const { body: said } = await change(name, { isEnabled: true }).expect(404);
      expect(said.message).toBe(`There is no service ${name}.`);
    }
    await create({ serviceName: 'bad body' }).expect(201);
    await change('bad body', { isEnabled: 1 }).expect(400);
    await change('bad body', { 'entity-type': 'oauth2Client' }).expect(400);
  });
});

describe('§5 DELETE /oauth2/provider/NAME', () => {
  test('deletes it', async () => {
    await create({ serviceName: 'going' }).expect(201);
    await server.request.delete(at('going')).expect(204);
    expect(await stored('going')).toEqual([]);
    await server.request.get(at('going')).expect(404);
    await server.request.delete(at('going')).expect(404);
  });
});

describe('§5 rights on services of others', () => {
  test('users see an enabled one without our id, and no other', async () => {
    await create({ ...elsewhere, serviceName: 'open', isEnabled: true }).expect(201);
    await create({ ...elsewhere, serviceName: 'closed' }).expect(201);
    const { body: shown } = await as(server, 'ann').get(at('open')).expect(200);
    expect(shown).toMatchObject({ serviceName: 'open', clientId: null });
    expect((await as(server, 'ann').get(at('closed')).expect(404)).body.message).toBe(
      'There is no service closed.',
    );
    await server.anonymous.get(at('open')).expect(401);
  });

  test.each([
    ['post', list],
    ['put', at('guarded')],
    ['delete', at('guarded')],
    ['put', at('nosuch')],
    ['delete', at('nosuch')],
  ] as const)('%s %s is 403 for users and power users, 401 without credentials', async (method, path) => {
    await create({ serviceName: 'guarded', isEnabled: true });
    const sent = body({ serviceName: 'theirs' });
    for (const user of ['ann', 'pat']) await as(server, user)[method](path).send(sent).expect(403);
    await server.anonymous[method](path).send(sent).expect(401);
    expect([await stored('guarded'), await stored('theirs')]).toEqual([[expect.anything()], []]);
  });

  test('the list costs as many statements for many as for few', async () => {
    const few = await server.request.get(list).expect(200);
    for (const serviceName of ['more 1', 'more 2', 'more 3']) await create({ serviceName }).expect(201);
    const many = await server.request.get(list).expect(200);
    expect(many.body.entries).toHaveLength(few.body.entries.length + 3);
    expect(statements(many)).toBe(statements(few));
  });
});

test.each(['get', 'put', 'delete'] as const)(
  '§5 no service of others is connected: %s of a token of one is 404',
  async (method) => {
    await create({ serviceName: 'unconnected', isEnabled: true });
    for (const path of [`${at('unconnected')}/token`, '/api/v1/oauth2/token/provider/unconnected/user/ann'])
      await as(server, 'ann')[method](path).expect(404);
  },
);

test.each(['a\0b', 'a\ud800b'])(
  '§5 by GraphQL %j names no service, and can be none: no 500',
  async (serviceName) => {
    await create({ serviceName: 'sound' });
    const provider = '$provider: OAuth2ServiceProviderInput!';
    const codes = [];
    for (const query of [
      `mutation (${provider}) { createServiceProvider(provider: $provider) { serviceName } }`,
      `mutation (${provider}) { updateServiceProvider(serviceName: "sound", provider: $provider) { scopes } }`,
      'query ($serviceName: String!) { serviceProvider(serviceName: $serviceName) { scopes } }',
      'mutation ($serviceName: String!) { deleteServiceProvider(serviceName: $serviceName) }',
    ]) {
      const sent = { query, variables: { serviceName, provider: { scopes: [serviceName], serviceName } } };
      const { body: answer } = await server.request.post('/graphql').send(sent);
      codes.push(answer.errors?.[0].extensions.code ?? answer.data.serviceProvider);
    }
    expect(codes).toEqual(['INVALID', 'INVALID', null, 'NOT_FOUND']);
  },
);
