import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Permission } from '../../../src/security/permissions.ts';
import { deny, grant, only, setAcl } from '../../support/acls.ts';
import { createDocument, namesIn } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);
const bob = useUser(server, 'bob', ['members']);
const saved = '/api/v1/search/saved';
const search = { 'entity-type': 'savedSearch', title: 'Mine', pageProviderName: 'simple_search' };
const workspace = (user: string) => `/default-domain/UserWorkspaces/${user}`;

/** A saved search of ann, of which bob has these permissions, and those on her workspace. */
async function shared(...permissions: readonly Permission[]): Promise<string> {
  const { body } = await ann.post(saved).send(search).expect(201);
  const { body: document } = await ann.get(`/api/v1/id/${body.id}`).expect(200);
  const own = permissions.filter((name) => name !== 'RemoveChildren');
  await setAcl(server, document.path, [
    ...own.map((name) => grant('bob', name)),
    ...only('ann', 'Everything'),
  ]);
  const above = permissions.includes('RemoveChildren') ? [grant('bob', 'RemoveChildren')] : [];
  await setAcl(server, workspace('ann'), [...above, ...only('ann', 'Everything')]);
  return body.id;
}

const writes = {
  PUT: {
    needs: ['WriteProperties'],
    status: 200,
    send: (id: string) => bob.put(`${saved}/${id}`).send({ ...search, title: 'Changed' }),
  },
  DELETE: {
    needs: ['Remove', 'RemoveChildren'],
    status: 204,
    send: (id: string) => bob.delete(`${saved}/${id}`),
  },
} as const;

describe.each(Object.entries(writes))('§2.5 %s of a saved search', (_, { needs, status, send }) => {
  test('needs all of its permissions, and no others', async () => {
    await send(await shared(...needs)).expect(status);
  });

  test.each(needs)('needs %s', async (permission) => {
    const id = await shared(...needs.filter((name) => name !== permission));
    await send(id).expect(403);
    const { body: still } = await ann.get(`${saved}/${id}`).expect(200);
    expect(still.title).toBe('Mine');
  });
});

describe('§2.5 saving a search', () => {
  test('needs AddChildren in the own workspace', async () => {
    await bob.post(saved).send(search).expect(201);
    await setAcl(server, workspace('bob'), [deny('bob', 'AddChildren'), ...only('bob', 'Everything')]);
    const { body } = await bob.post(saved).send(search).expect(403);
    expect(body.status).toBe(403);
    await setAcl(server, workspace('bob'), only('bob', 'Everything'));
    await bob.post(saved).send(search).expect(201);
  });

  test('needs credentials', async () => {
    for (const method of ['get', 'post'] as const)
      await server.anonymous[method](saved).send(search).expect(401);
  });
});

describe('§2.5 reading a saved search', () => {
  let folder: string;
  beforeAll(async () => {
    folder = (await createDocument(server, { type: 'Folder' })).path;
    await createDocument(server, { parent: folder, name: 'open' });
    const { path } = await createDocument(server, { parent: folder, name: 'closed' });
    await setAcl(server, path, only('ann', 'Everything'));
  });

  test.each(['', '/execute'])('needs Read at /search/saved/ID%s', async (end) => {
    const [open, closed] = [await shared('Read'), await shared('WriteProperties')];
    await bob.get(`${saved}/${open}${end}`).expect(200);
    await bob.get(`${saved}/${closed}${end}`).expect(403);
  });

  test('finds for each caller what that caller may read', async () => {
    const query = `SELECT * FROM Document WHERE ecm:path STARTSWITH '${folder}'`;
    const id = await shared('Read');
    const { title } = search;
    await ann
      .put(`${saved}/${id}`)
      .send({ 'entity-type': 'savedSearch', title, query, queryLanguage: 'NXQL', sortBy: 'ecm:name' })
      .expect(200);
    expect(namesIn(await bob.get(`${saved}/${id}/execute`).expect(200))).toEqual(['open']);
    expect(namesIn(await ann.get(`${saved}/${id}/execute`).expect(200))).toEqual(['open', 'closed']);
  });

  test('lists those alone that the caller may read', async () => {
    const [open, closed] = [await shared('Read'), await shared('Write')];
    const { body } = await bob.get(saved).expect(200);
    const ids = body.entries.map((entry: { id: string }) => entry.id);
    expect(ids).toContain(open);
    expect(ids).not.toContain(closed);
  });
});
