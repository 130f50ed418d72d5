import { beforeAll, describe, expect, test } from '@jest/globals';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createUser, useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);
let folder: DocumentEntity;

const create = (title: string, type = 'File') =>
  createDocument(server, { parent: folder.path, type, properties: { 'dc:title': title } });

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  await createUser(server, 'zebra', ['members']);
});

const suggest = (searchTerm: unknown, agent = bob) =>
  call(agent, 'Search.SuggestersLauncher', { params: { searchTerm } });

describe('Search.SuggestersLauncher', () => {
  test('answers with documents, users and groups by the beginnings of words and names', async () => {
    const { uid } = await create('The zebras of Ünal');
    const { body } = await suggest('zebr').expect(200);
    expect(body).toEqual([
      {
        type: 'document',
        id: uid,
        label: 'The zebras of Ünal',
        icon: '/icons/file.svg',
        url: expect.stringMatching(new RegExp(`/api/v1/repo/default/id/${uid}$`)),
        thumbnailUrl: null,
        highlights: [],
      },
      expect.objectContaining({
        type: 'user',
        id: 'zebra',
        label: 'zebra',
        url: expect.stringMatching(/\/api\/v1\/user\/zebra$/),
      }),
    ]);
    expect((await suggest('memb').expect(200)).body).toEqual([
      expect.objectContaining({ type: 'group', id: 'members', label: expect.any(String) }),
    ]);
    const two = await suggest('unal zeb').expect(200);
    expect(two.body).toEqual([expect.objectContaining({ id: uid })]);
  });

  test('needs Read, and answers with neither the trash nor versions', async () => {
    const [open, closed, trashed] = [await create('quagga'), await create('quagga'), await create('quagga')];
    await setAcl(server, closed.path, [deny('bob', 'Everything')]);
    await call(server.request, 'Document.Trash', { input: trashed.uid }).expect(200);
    await call(server.request, 'Document.CreateVersion', { input: open.uid }).expect(200);
    const { body } = await suggest('quagga').expect(200);
    expect(body).toEqual([expect.objectContaining({ id: open.uid })]);
  });

  test('tolerates a typo in each word of a title', async () => {
    const { uid } = await create('Annual Überblick of the harbour');
    const only = [expect.objectContaining({ id: uid, label: 'Annual Überblick of the harbour' })];
    for (const term of [
      'harbuor',
      'harbor',
      'hrab',
      'harrbour',
      'xarbour',
      'annaul harbo',
      'uberblik anual',
      'the ubrblick',
    ])
      expect([term, (await suggest(term).expect(200)).body]).toEqual([term, only]);
    for (const term of ['hrabuor', 'hra', 'annual jungle', 'anual jungle'])
      expect((await suggest(term).expect(200)).body).not.toEqual(only);
  });

  test('finds titles with the words as typed first, and does not correct numbers', async () => {
    const { uid: similar } = await create('Lanterns 2024');
    const { uid: exact } = await create('Lantern 2025');
    const ids = async (term: string) =>
      (await suggest(term).expect(200)).body.map(({ id }: { id: string }) => id);
    expect(await ids('lantern 2024')).toEqual([similar]);
    await create('Lanten 2025');
    expect((await ids('lantern')).slice(0, 2).sort()).toEqual([similar, exact].sort());
    expect(await ids('lantern 2026')).toEqual([]);
  });

  test('does not tell whether a title that the caller cannot read contains a word', async () => {
    const { path } = await create('The xylophone');
    expect((await suggest('xylophnoe').expect(200)).body).toHaveLength(1);
    await setAcl(server, path, [deny('bob', 'Everything')]);
    expect((await suggest('xylophnoe').expect(200)).body).toEqual([]);
    expect((await suggest('xylophnoe', server.request).expect(200)).body).toHaveLength(1);
  });

  test('finds people by first and last name in either order, without accents and with a typo', async () => {
    const named = (username: string, firstName: string, lastName: string) =>
      server.request
        .post('/api/v1/user')
        .send({ 'entity-type': 'user', properties: { username, firstName, lastName } })
        .expect(201);
    await named('u-1', 'Margarethe', 'Çelikoğlu');
    const only = [expect.objectContaining({ type: 'user', id: 'u-1', label: 'Margarethe Çelikoğlu' })];
    for (const term of [
      'margar',
      'Celik',
      'margarete',
      'celikolgu marg',
      'marg celikolgu',
      'margartehe celi',
    ])
      expect([term, (await suggest(term).expect(200)).body]).toEqual([term, only]);
    expect((await suggest('margarthee celikoulg').expect(200)).body).toEqual([]);
    await server.request
      .put('/api/v1/user/u-1')
      .send({ 'entity-type': 'user', properties: { lastName: 'Ørsted' } })
      .expect(200);
    expect((await suggest('orstde').expect(200)).body).toEqual([expect.objectContaining({ id: 'u-1' })]);
    expect((await suggest('celikolgu').expect(200)).body).toEqual([]);
  });

  test('answers with ten at most, in no more statements for many documents than for one', async () => {
    await create('okapi');
    const one = statements(await suggest('okapi').expect(200));
    for (let i = 0; i < 12; i++) await create('okapi');
    const many = await suggest('okapi').expect(200);
    expect(many.body).toHaveLength(10);
    expect(statements(many)).toBeLessThanOrEqual(one);
  });

  test.each(['', '  ', '"', "-'*/\\", ':)'])('answers any text: %j', async (term) => {
    const { body, status } = await suggest(term);
    expect([status, body]).toEqual([200, []]);
  });

  test('refuses a missing term and a caller without credentials', async () => {
    await suggest(undefined).expect(400);
    await server.anonymous.post('/api/v1/automation/Search.SuggestersLauncher').send({}).expect(401);
  });
});
