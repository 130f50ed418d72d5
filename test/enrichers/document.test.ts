import { describe, expect, test } from '@jest/globals';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { useUser } from '../support/users.ts';

const server = useServer();
const ann = useUser(server, 'ann', ['members']);

const block = deny('Everyone', 'Everything');

/** The contextParameters of a document with these enrichers. */
async function context(
  { uid }: Pick<DocumentEntity, 'uid'>,
  enrichers: string,
  { agent = server.request, depth = 'root' } = {},
) {
  const headers = { 'enrichers.document': enrichers, depth };
  const { body } = await agent.get(`/api/v1/id/${uid}`).set(headers).expect(200);
  return body.contextParameters;
}

const names = (list: { entries: DocumentEntity[] }) => list.entries.map(({ name }) => name);

async function root(): Promise<DocumentEntity> {
  return (await server.request.get('/api/v1/path/').expect(200)).body;
}

describe('§4.9 enrichers', () => {
  test('add empty contextParameters when none of them is known, and none when none is asked for', async () => {
    const document = await createDocument(server);
    for (const asked of ['nosuch', 'nosuch,neither']) expect(await context(document, asked)).toEqual({});
    expect(await context(document, '')).toBeUndefined();
  });

  test('with unknown names are refused in strict handling', async () => {
    const { uid } = await createDocument(server);
    const strictly = (asked: string) =>
      server.request.get(`/api/v1/id/${uid}`).set({ 'enrichers.document': asked, Prefer: 'handling=strict' });
    expect((await strictly('acls,nosuch').expect(400)).body.message).toContain('nosuch');
    await strictly('acls,documentURL').expect(200);
  });

  test('add one key each, in lists and in the answers of operations', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await createDocument(server, { parent: folder.path });
    const headers = { 'enrichers.document': 'documentURL,permissions' };
    const list = await server.request.get(`/api/v1/id/${folder.uid}/@children`).set(headers).expect(200);
    const operation = await server.request
      .post('/api/v1/automation/Document.GetChildren')
      .set(headers)
      .send({ input: folder.uid })
      .expect(200);
    for (const { body } of [list, operation]) {
      const [entry] = body.entries;
      expect(Object.keys(entry.contextParameters)).toEqual(['documentURL', 'permissions']);
      expect(entry.contextParameters.documentURL).toContain(`/api/v1/repo/default/id/${entry.uid}`);
    }
  });

  test('apply to the answers of writes', async () => {
    const headers = { 'enrichers.document': 'breadcrumb,permissions', 'fetch.document': 'dc:creator' };
    const { body } = await server.request
      .post('/api/v1/path/default-domain')
      .set(headers)
      .send({ 'entity-type': 'document', name: 'written', type: 'Folder' })
      .expect(201);
    expect(names(body.contextParameters.breadcrumb)).toEqual(['', 'default-domain']);
    expect(body.properties['dc:creator']).toMatchObject({ 'entity-type': 'user', id: 'Administrator' });
    expect(body.contextParameters.permissions).toContain('Everything');
  });

  test('change the ETag and prevent 304', async () => {
    const { uid } = await createDocument(server);
    const plain = await server.request.get(`/api/v1/id/${uid}`).expect(200);
    const enriched = await server.request
      .get(`/api/v1/id/${uid}`)
      .set({ 'enrichers.document': 'acls', 'If-None-Match': plain.headers.etag as string })
      .expect(200);
    expect(enriched.headers.etag).not.toBe(plain.headers.etag);
    await server.request
      .get(`/api/v1/id/${uid}`)
      .set({ 'enrichers.document': 'acls', 'If-None-Match': enriched.headers.etag as string })
      .expect(200);
  });
});

describe('§4.9 the enrichers of ancestors', () => {
  test('find none for the root', async () => {
    const above = await context(await root(), 'breadcrumb,firstAccessibleAncestor');
    expect(above).toEqual({
      breadcrumb: { 'entity-type': 'documents', entries: [] },
      firstAccessibleAncestor: null,
    });
  });

  test('list them from the root to the parent', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const file = await createDocument(server, { parent: folder.path });
    const { breadcrumb, firstAccessibleAncestor } = await context(file, 'breadcrumb,firstAccessibleAncestor');
    expect(names(breadcrumb)).toEqual(['', 'default-domain', 'workspaces', folder.name]);
    expect(firstAccessibleAncestor.uid).toBe(folder.uid);
  });

  test('omit documents that the caller cannot read', async () => {
    const closed = await createDocument(server, { type: 'Folder' });
    const open = await createDocument(server, { parent: closed.path, type: 'Folder' });
    const below = await createDocument(server, { parent: open.path, type: 'Folder' });
    const file = await createDocument(server, { parent: below.path });
    await setAcl(server, closed.path, [block]);
    await setAcl(server, open.path, [grant('ann', 'Read'), block]);
    await setAcl(server, below.path, [block]);
    await setAcl(server, file.path, [grant('ann', 'Read')]);
    const seen = await context(file, 'breadcrumb,firstAccessibleAncestor', { agent: ann });
    expect(names(seen.breadcrumb)).toEqual(['', 'default-domain', 'workspaces', open.name]);
    expect(seen.firstAccessibleAncestor.name).toBe(open.name);
  });
});

describe('§4.9 the enrichers of children', () => {
  test('find none in a file', async () => {
    expect(await context(await createDocument(server), 'children,hasContent,hasFolderishChild')).toEqual({
      children: { 'entity-type': 'documents', entries: [] },
      hasContent: false,
      hasFolderishChild: false,
    });
  });

  test('list children by title, and count them as content, without hidden ones', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const asked = () => context(folder, 'children,hasContent,hasFolderishChild');
    await createDocument(server, { parent: folder.path, type: 'HiddenFolder', name: 'b-hidden' });
    const hidden = await asked();
    expect(names(hidden.children)).toEqual([]);
    expect(hidden).toMatchObject({ hasContent: false, hasFolderishChild: false });
    await createDocument(server, { parent: folder.path, type: 'File', name: 'a-file' });
    const file = await asked();
    expect(names(file.children)).toEqual(['a-file']);
    expect(file).toMatchObject({ hasContent: true, hasFolderishChild: false });
    await createDocument(server, { parent: folder.path, type: 'OrderedFolder', name: 'c-folder' });
    expect(await asked()).toMatchObject({ hasContent: true, hasFolderishChild: true });
  });

  test('count readable documents that are Folderish by type or by facet as folders', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const note = await createDocument(server, { parent: folder.path, type: 'Note', name: 'note' });
    const asked = async (agent?: typeof ann) =>
      (await context(folder, 'hasFolderishChild', agent && { agent })).hasFolderishChild;
    expect([await asked(), await asked(ann)]).toEqual([false, false]);
    const facets = ['Folderish'];
    await server.database.prisma.document.updateMany({ where: { id: note.uid }, data: { facets } });
    expect([await asked(), await asked(ann)]).toEqual([true, true]);
    await setAcl(server, note.path, [block]);
    expect([await asked(), await asked(ann)]).toEqual([true, false]);
    facets.push('HiddenInNavigation');
    await server.database.prisma.document.updateMany({ where: { id: note.uid }, data: { facets } });
    expect(await asked()).toBe(false);
  });

  test('neither list trashed children nor count them as content', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const { uid } = await createDocument(server, { parent: folder.path, type: 'Folder' });
    await server.database.prisma.document.updateMany({ where: { id: uid }, data: { isTrashed: true } });
    const seen = await context(folder, 'children,hasContent,hasFolderishChild');
    expect(seen.children.entries).toEqual([]);
    expect(seen).toMatchObject({ hasContent: false, hasFolderishChild: false });
  });

  test('omit documents that the caller cannot read', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const child = await createDocument(server, { parent: folder.path, type: 'Folder', name: 'closed' });
    await setAcl(server, child.path, [block]);
    const asked = () => context(folder, 'children,hasContent,hasFolderishChild', { agent: ann });
    expect(await asked()).toEqual({
      children: { 'entity-type': 'documents', entries: [] },
      hasContent: false,
      hasFolderishChild: false,
    });
    await createDocument(server, { parent: folder.path, type: 'File', name: 'open' });
    const seen = await asked();
    expect(names(seen.children)).toEqual(['open']);
    expect(seen).toMatchObject({ hasContent: true, hasFolderishChild: false });
  });
});

describe('§4.9 the enrichers of permissions and types', () => {
  test('list all permissions for administrators, and those of the ACL for others', async () => {
    const document = await createDocument(server);
    await setAcl(server, document.path, [grant('ann', 'ReadWrite'), block]);
    const all = await context(document, 'permissions');
    expect(all.permissions).toEqual(expect.arrayContaining(['Everything', 'WriteColdStorage', 'ReadWrite']));
    const { permissions } = await context(document, 'permissions', { agent: ann });
    expect(permissions).toEqual(expect.arrayContaining(['Read', 'ReadWrite', 'WriteVersion', 'AddChildren']));
    expect(permissions).not.toContain('Everything');
    expect(permissions).not.toContain('WriteSecurity');
  });

  test('§2.5 leave out Write and what it contains where another user has locked the document', async () => {
    const document = await createDocument(server);
    await setAcl(server, document.path, [grant('ann', 'ReadWrite'), block]);
    await server.request.post('/api/v1/automation/Document.Lock').send({ input: document.uid }).expect(200);
    const { permissions } = await context(document, 'permissions', { agent: ann });
    expect(permissions).toEqual(expect.arrayContaining(['Read', 'ReadWrite']));
    for (const part of ['Write', 'WriteProperties', 'Remove', 'WriteVersion'])
      expect(permissions).not.toContain(part);
  });

  test.each([
    ['Folder', ['Read', 'ReadWrite', 'Everything']],
    ['Collection', ['Read', 'ReadCanCollect', 'ReadWrite', 'Everything']],
    ['Section', ['Read', 'ReadWrite', 'Everything', 'CanAskForPublishing']],
    ['DocumentRoute', ['Read', 'ReadWrite', 'Everything', 'DataVisualization']],
  ])('offer on a %s the permissions %j', async (type, offered) => {
    const document = await createDocument(server, { type });
    expect(await context(document, 'userVisiblePermissions')).toEqual({ userVisiblePermissions: offered });
  });

  test('list the subtypes of the type with their facets', async () => {
    const file = await createDocument(server);
    expect(await context(file, 'subtypes')).toEqual({ subtypes: [] });
    const { subtypes } = await context(await root(), 'subtypes');
    expect(subtypes).toEqual([
      { type: 'Domain', facets: ['Folderish', 'NXTag', 'SuperSpace', 'NotCollectionMember'] },
    ]);
    const { subtypes: many } = await context(await createDocument(server, { type: 'Workspace' }), 'subtypes');
    expect(many.map(({ type }: { type: string }) => type)).toEqual(
      expect.arrayContaining(['Workspace', 'Folder', 'File', 'Note']),
    );
  });
});
