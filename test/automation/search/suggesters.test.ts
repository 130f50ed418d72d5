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

  test('answers with ten at most, in as many statements for many documents as for one', async () => {
    await create('okapi');
    const one = statements(await suggest('okapi').expect(200));
    for (let i = 0; i < 12; i++) await create('okapi');
    const many = await suggest('okapi').expect(200);
    expect(many.body).toHaveLength(10);
    expect(statements(many)).toBe(one);
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
