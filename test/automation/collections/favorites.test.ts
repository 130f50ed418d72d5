import { describe, expect, test } from '@jest/globals';
import { checkConsistency } from '../../store/consistency.ts';
import { deny, setAcl } from '../../support/acls.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, type TestServer, useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { uidsOf } from './collecting.ts';

const server = useServer();
checkConsistency(server);

let count = 0;
/** A new user, who has no workspace yet. */
async function somebody(): Promise<{ name: string; who: TestServer['request'] }> {
  count += 1;
  const name = await createUser(server, `user${count}`, ['members']);
  return { name, who: as(server, name) };
}

const favoritesOf = async (who: TestServer['request']): Promise<string[]> =>
  uidsOf((await call(who, 'Favorite.GetDocuments').expect(200)).body);

describe('Document.AddToFavorites', () => {
  test('adds documents to the favorites of the caller only and returns them', async () => {
    const [{ name, who }, other] = [await somebody(), await somebody()];
    const [one, two] = [await createDocument(server), await createDocument(server)];
    const { body } = await call(who, 'Document.AddToFavorites', { input: one.path }).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid: one.uid, facets: expect.anything() });
    expect(body.properties['dc:contributors']).toEqual(['Administrator']);
    const list = await call(who, 'Document.AddToFavorites', { input: [two.uid, one.uid] }).expect(200);
    expect(uidsOf(list.body)).toEqual([two.uid, one.uid]);
    expect(await favoritesOf(who)).toEqual([one.uid, two.uid]);
    expect(await favoritesOf(other.who)).toEqual([]);
    const found = await server.database.prisma.document.findMany({ where: { type: 'Favorites' } });
    expect(found.map(({ path }) => path)).toContain(`/default-domain/UserWorkspaces/${name}/Favorites`);
  });

  test('collects the documents of concurrent first calls in one collection', async () => {
    const { name, who } = await somebody();
    const documents = await Promise.all(Array.from({ length: 8 }, () => createDocument(server)));
    await Promise.all(
      documents.map(({ uid }) => call(who, 'Document.AddToFavorites', { input: uid }).expect(200)),
    );
    expect((await favoritesOf(who)).sort()).toEqual(documents.map(({ uid }) => uid).sort());
    const where = { path: { startsWith: `/default-domain/UserWorkspaces/${name}` } };
    const made = await server.database.prisma.document.findMany({ where, orderBy: { path: 'asc' } });
    expect(made.map(({ type }) => type)).toEqual(['Workspace', 'Favorites']);
  });

  test('refuses documents that cannot be in a collection, and creates nothing', async () => {
    const { name, who } = await somebody();
    await call(who, 'Document.AddToFavorites', { input: '/default-domain' }).expect(400);
    await call(who, 'Document.AddToFavorites', { input: '/nosuch' }).expect(404);
    await server.request.get(`/api/v1/path/default-domain/UserWorkspaces/${name}`).expect(404);
  });

  test('answers 409 when another document has the name Favorites', async () => {
    const { who } = await somebody();
    const { body } = await call(who, 'User.GetUserWorkspace').expect(200);
    await createDocument(server, { parent: body.path, type: 'Folder', name: 'Favorites' });
    const { uid } = await createDocument(server);
    await call(who, 'Document.AddToFavorites', { input: uid }).expect(409);
    expect(await favoritesOf(who)).toEqual([]);
  });
});

describe('Document.RemoveFromFavorites', () => {
  test('answers with the document, whether or not it was a favorite', async () => {
    const { who } = await somebody();
    const { uid } = await createDocument(server);
    const remove = () => call(who, 'Document.RemoveFromFavorites', { input: uid });
    expect((await remove().expect(200)).body.uid).toBe(uid);
    await call(who, 'Document.AddToFavorites', { input: uid }).expect(200);
    await remove().expect(200);
    await remove().expect(200);
    expect(await favoritesOf(who)).toEqual([]);
  });
});

describe('Favorite.Fetch', () => {
  test('creates the collection at the first call and returns it afterwards', async () => {
    const { name, who } = await somebody();
    const { body } = await call(who, 'Favorite.Fetch').expect(200);
    expect(body).toMatchObject({
      type: 'Favorites',
      title: 'Favorites',
      path: `/default-domain/UserWorkspaces/${name}/Favorites`,
      properties: { 'dc:creator': name },
    });
    expect((await call(who, 'Favorite.Fetch').expect(200)).body.uid).toBe(body.uid);
    await server.request.delete(`/api/v1/id/${body.uid}`).expect(204);
    expect((await call(who, 'Favorite.Fetch').expect(200)).body.uid).not.toBe(body.uid);
  });
});

describe('Favorite.GetDocuments', () => {
  test('answers with pages of favorites in their order and creates nothing', async () => {
    const { name, who } = await somebody();
    const { body } = await call(who, 'Favorite.GetDocuments').expect(200);
    expect(body).toMatchObject({ 'entity-type': 'documents', entries: [], resultsCount: 0 });
    await server.request.get(`/api/v1/path/default-domain/UserWorkspaces/${name}`).expect(404);
    const documents = await Promise.all(Array.from({ length: 3 }, () => createDocument(server)));
    const uids = documents.map(({ uid }) => uid).reverse();
    await call(who, 'Document.AddToFavorites', { input: uids }).expect(200);
    const params = { pageSize: 2, currentPageIndex: 1 };
    const page = await call(who, 'Favorite.GetDocuments', { params }).expect(200);
    expect([uidsOf(page.body), page.body.resultsCount]).toEqual([uids.slice(2), 3]);
    const one = await call(who, 'Favorite.GetDocuments', { params: { pageSize: 1 } });
    expect(statements(page)).toBe(statements(one));
  });

  test('needs Read on each favorite that it answers with', async () => {
    const { who } = await somebody();
    const { uid, path } = await createDocument(server);
    await call(who, 'Document.AddToFavorites', { input: uid }).expect(200);
    await setAcl(server, path, [deny('Everyone', 'Everything')]);
    expect(await favoritesOf(who)).toEqual([]);
  });

  test('refuses a negative page size', async () => {
    const params = { pageSize: -2 };
    await call((await somebody()).who, 'Favorite.GetDocuments', { params }).expect(400);
  });
});
