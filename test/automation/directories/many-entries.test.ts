import { describe, expect, test } from '@jest/globals';
import { register, tokensFor } from '../../oauth2/flow.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUsers } from '../../support/users.ts';

const server = useServer();
useUsers(server, 'ann');

type Fields = Record<string, unknown>;

const run = (id: string, directoryName: string, entries: unknown, more = {}) =>
  call(server.request, `Directory.${id}`, { params: { directoryName, entries, ...more } });
/** Changed tokens clear the cache of users: the first request fills it, so the second costs its own statements. */
async function runKnown(...wanted: Parameters<typeof run>) {
  await server.request.get('/api/v1/config/types').expect(200);
  return run(...wanted).expect(200);
}
const cost = async (...wanted: Parameters<typeof run>): Promise<number> =>
  statements(await runKnown(...wanted));
const read = async (directory: string, entries: readonly unknown[]): Promise<Fields[]> =>
  (await run('ReadEntries', directory, entries).expect(200)).body;
const redirectURIs = 'https://app.example/back';

/** One directory of each kind of storage, new entries of it, and the field that an update changes. */
const kept: ReadonlyArray<readonly [directory: string, entryOf: (name: string) => Fields, changed: string]> =
  [
    ['country', (id) => ({ id, label: id, parent: 'europe' }), 'label'],
    ['l10ncoverage', (id) => ({ id, label_en: id, parent: 'europe' }), 'label_en'],
    ['oauth2ServiceProviders', (serviceName) => ({ serviceName, enabled: true }), 'serviceName'],
    ['oauth2Clients', (clientId) => ({ clientId, name: clientId, redirectURIs }), 'name'],
  ];

describe('§4.7 operations on many directory entries', () => {
  test.each(kept)('cost as many statements as on one entry of %s', async (directory, entryOf, changed) => {
    const costs = async (names: readonly string[]) => {
      const created = await runKnown('CreateEntries', directory, names.map(entryOf));
      const ids: string[] = created.body;
      const before = await read(directory, ids);
      expect(before).toMatchObject(names.map(entryOf));
      const changes = before.map(({ id, parent }) => ({
        id,
        [changed]: `new-${id}`,
        ...(parent ? { parent: 'asia' } : {}),
      }));
      const updated = await runKnown('UpdateEntries', directory, changes);
      expect(updated.body).toEqual(ids);
      expect(await read(directory, ids)).toMatchObject(changes);
      const deleted = await runKnown('DeleteEntries', directory, ids);
      expect(await read(directory, ids)).toEqual([]);
      return [created, updated, deleted].map(statements);
    };
    const names = (from: string, count: number) => Array.from({ length: count }, (_, at) => `${from}-${at}`);
    expect(await costs(names('many', 50))).toEqual(await costs(names('one', 1)));
  });

  test('cost as many statements as on one when they mark entries obsolete', async () => {
    const all = ['one', 'two', 'three'];
    await run(
      'CreateEntries',
      'nature',
      all.map((id) => ({ id })),
    ).expect(200);
    const mark = (ids: readonly string[]) =>
      run('DeleteEntries', 'nature', ids, { markObsolete: true }).expect(200);
    const [one, others] = [await mark(['one']), await mark(['two', 'three'])];
    expect(statements(others)).toBe(statements(one));
    expect(await read('nature', all)).toMatchObject(all.map(() => ({ obsolete: 1 })));
  });

  test('cost as many statements as on one for OAuth 2 tokens', async () => {
    await register(server, { autoGrant: true });
    const tokens: string[] = [];
    for (let at = 0; at < 4; at += 1) tokens.push((await tokensFor(server)).access_token);
    const { body } = await server.request.get('/api/v1/directory/oauth2Tokens').expect(200);
    const fields: Fields[] = body.entries.map(({ properties }: { properties: Fields }) => properties);
    const [one, ...others] = tokens.map((token) => fields.find(({ accessToken }) => accessToken === token));
    const moved = (entry: Fields | undefined) => ({ ...entry, creationDate: '2026-01-02T03:04:05.000Z' });
    const first = await cost('UpdateEntries', 'oauth2Tokens', [moved(one)]);
    expect(await cost('UpdateEntries', 'oauth2Tokens', others.map(moved))).toBe(first);
    const ids = others.map((entry) => entry?.id);
    expect(await read('oauth2Tokens', ids)).toEqual(others.map(moved));
    const alone = await cost('DeleteEntries', 'oauth2Tokens', [one?.id]);
    expect(await cost('DeleteEntries', 'oauth2Tokens', ids)).toBe(alone);
    expect(await read('oauth2Tokens', ids)).toEqual([]);
  });

  test('cost as many statements as on one when they delete tokens of devices', async () => {
    const device = (deviceId: string) =>
      server.request
        .get('/authentication/token')
        .query({ applicationName: 'app', deviceId, deviceDescription: 'd', permission: 'rw' })
        .expect(201);
    const token = (await device('one')).text;
    for (const name of ['two', 'three']) await device(name);
    const { body } = await server.request.get('/api/v1/directory/authTokens').expect(200);
    const entries: Array<{ id: string; properties: Fields }> = body.entries;
    const ids = entries.filter(({ properties }) => properties.deviceId !== 'one').map(({ id }) => id);
    const one = await cost('DeleteEntries', 'authTokens', [token]);
    expect(await cost('DeleteEntries', 'authTokens', ids)).toBe(one);
    expect((await server.request.get('/api/v1/directory/authTokens')).body.entries).toEqual([]);
  });
});

test('§4.7 suggestions find entries by their labels among more than are read', async () => {
  const count = 10_050;
  const data = Array.from({ length: count }, (_, at) => ({
    directory: 'nature',
    id: `k${at}`,
    properties: { label: `Kind ${at} "50%"` },
  }));
  await server.database.prisma.directoryEntry.createMany({ data });
  const suggest = (searchTerm: string, more = {}) =>
    call(server.request, 'Directory.SuggestEntries', {
      params: { directoryName: 'nature', searchTerm, localize: true, ...more },
    });
  const found = async (...wanted: Parameters<typeof suggest>) =>
    (await suggest(...wanted).expect(200)).body.map(({ id }: Fields) => id);
  expect(await found('kind 9999')).toEqual(['k9999']); // the last in the order of the directory
  expect(await found('9999 "50%', { contains: true })).toEqual(['k9999']);
  expect(await found('9999 "50_', { contains: true })).toEqual([]);
  expect(await found('Kind 9999', { caseSensitive: true })).toEqual(['k9999']);
  expect(await found('Arti')).toEqual(['article']); // its label is a message key
  expect(await found('', { limit: 3 })).toHaveLength(3);
  expect(statements(await suggest('kind 12').expect(200))).toBe(
    statements(await suggest('').expect(200)) + 1,
  );
});

describe('§4.7 a list of directory entries', () => {
  const faultOf = async (sent: ReturnType<typeof run>, status: number) =>
    (await sent.expect(status)).body.message;

  test('can refer to earlier entries of the list, but not to later ones', async () => {
    const [above, below] = [{ id: 'above' }, { id: 'below', parent: 'above' }];
    await run('CreateEntries', 'l10nsubjects', [below, above]).expect(422);
    expect(await read('l10nsubjects', ['above', 'below'])).toEqual([]);
    await run('CreateEntries', 'l10nsubjects', [above, below]).expect(200);
    expect(await read('l10nsubjects', ['below'])).toMatchObject([below]);
    await run('DeleteEntries', 'l10nsubjects', ['above']).expect(409);
    await run('DeleteEntries', 'l10nsubjects', ['above', 'below']).expect(200);
  });

  test('is refused with the id that is taken, in the directory or in the list', async () => {
    const create = (...ids: string[]) =>
      run(
        'CreateEntries',
        'topic',
        ids.map((id) => ({ id })),
      );
    const taken = (id: string) => `Entry with id ${id} already exists in directory topic`;
    expect(await faultOf(create('new', 'art', 'newer'), 400)).toBe(taken('art'));
    expect(await faultOf(create('new', 'newer', 'new'), 400)).toBe(taken('new'));
    expect(await read('topic', ['new', 'newer'])).toEqual([]);
    const client = (clientId: string) => ({ clientId, name: 'A', redirectURIs });
    const clients = [client('twin'), client('other'), client('twin')];
    expect(await faultOf(run('CreateEntries', 'oauth2Clients', clients), 409)).toBe(
      'clientId: twin is taken. Choose another one.',
    );
    const { body } = await run('CreateEntries', 'oauth2Clients', clients.slice(1)).expect(200);
    const [other, twin] = await read('oauth2Clients', body);
    const change = (...changes: unknown[]) => run('UpdateEntries', 'oauth2Clients', changes);
    const both = [
      { ...other, clientId: 'same' },
      { ...twin, clientId: 'same' },
    ];
    expect(await faultOf(change(...both), 409)).toBe('clientId: same is taken. Choose another one.');
    expect(await faultOf(change({ ...other, clientId: 'twin' }, { ...twin, name: 'B' }), 409)).toBe(
      'clientId: twin is taken. Choose another one.',
    );
    expect(await read('oauth2Clients', body)).toEqual([other, twin]);
  });

  test('is not written at all when one entry violates a constraint', async () => {
    const changes = [
      { id: 'France', label: 'New' },
      { id: 'Germany', parent: 'nowhere' },
    ];
    await run('UpdateEntries', 'country', changes).expect(422);
    expect(await read('country', ['France'])).not.toMatchObject([{ label: 'New' }]);
  });

  test('merges two updates of one entry, and deletes one that is named twice', async () => {
    const changes = [
      { id: 'book', label: 'First', ordering: 5 },
      { id: 'book', label: 'Second' },
    ];
    await run('CreateEntries', 'nature', [{ id: 'book' }]).expect(200);
    expect((await run('UpdateEntries', 'nature', changes).expect(200)).body).toEqual(['book', 'book']);
    expect(await read('nature', ['book'])).toMatchObject([{ label: 'Second', ordering: 5 }]);
    expect((await run('DeleteEntries', 'nature', ['book', 'book']).expect(200)).body).toEqual([
      'book',
      'book',
    ]);
    expect(await read('nature', ['book'])).toEqual([]);
  });

  test('can be empty', async () => {
    for (const operation of ['CreateEntries', 'UpdateEntries', 'DeleteEntries']) {
      for (const directory of ['nature', 'oauth2Clients', 'authTokens']) {
        expect((await run(operation, directory, []).expect(200)).body).toEqual([]);
      }
    }
  });
});
