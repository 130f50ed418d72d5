import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { namesWhere } from './search-requests.ts';

const server = useServer();
let folder: DocumentEntity;
let [file, note, inner] = [] as unknown as [DocumentEntity, DocumentEntity, DocumentEntity];

const run = calling(server);

beforeAll(async () => {
  folder = await createDocument(server, { type: 'OrderedFolder', name: 'searched' });
  const at = { parent: folder.path };
  file = await createDocument(server, { ...at, name: 'file', properties: { 'dc:title': 'File' } });
  note = await createDocument(server, {
    ...at,
    type: 'Note',
    name: 'note',
    properties: {
      'dc:title': 'Note',
      'dc:subjects': ['art/music', 'sciences/astronomy'],
      'dc:nature': 'memo',
    },
  });
  inner = await createDocument(server, { ...at, type: 'Workspace', name: 'inner' });
  await createDocument(server, { parent: inner.path, name: 'deep' });
  await server.request
    .put(`/api/v1/id/${file.uid}/@blob/file:content`)
    .attach('content', Buffer.from('four'), { filename: 'a.txt', contentType: 'text/plain' })
    .expect(200);
  await run('Services.TagDocument', note.uid, { tags: 'Red' }).expect(200);
  await run('Document.Lock', note.uid).expect(200);
  await run('Document.CreateVersion', file.uid, { increment: 'Major' }).expect(200);
  const trashed = await createDocument(server, { ...at, name: 'gone' });
  await run('Document.Trash', trashed.uid).expect(200);
  await run('Document.FollowLifecycleTransition', note.uid, { value: 'approve' }).expect(200);
  const section = await createDocument(server, { type: 'Section', name: 'published' });
  await run('Document.PublishToSection', file.uid, { target: section.path }).expect(200);
  await run('Document.AddToCollection', note.uid, {
    collection: (await createDocument(server, { type: 'Collection', name: 'collected' })).uid,
  }).expect(200);
});

/** Returns the names that a condition matches below the folder; its live documents are file, note, inner and deep. */
const below = (where: string) =>
  namesWhere(server.request, `ecm:ancestorId = '${folder.uid}' AND (${where})`);
const live = (where: string) => below(`ecm:isVersion = 0 AND ecm:isTrashed = 0 AND (${where})`);

describe('§4.7 conditions of a query', () => {
  test.each<[string, string[]]>([
    ["ecm:uuid = '{file}'", ['file']],
    ["ecm:uuid IN ('{file}', '{note}', 'x')", ['file', 'note']],
    ["ecm:uuid <> '{file}'", ['deep', 'inner', 'note']],
    ["ecm:parentId = '{folder}'", ['file', 'inner', 'note']],
    ["ecm:ancestorId = '{inner}'", ['deep']],
    ["ecm:ancestorId <> '{inner}'", ['file', 'inner', 'note']],
    ["ecm:name = 'file'", ['file']],
    ["ecm:path = '{path}/file'", ['file']],
    ["ecm:path LIKE '%/inner/%'", ['deep']],
    ["ecm:path STARTSWITH '{path}/inner'", ['deep']],
    ["ecm:path STARTSWITH '{path}/inner/'", ['deep']],
    ["ecm:path STARTSWITH '{path}/in'", []],
    ["ecm:path STARTSWITH '/'", ['deep', 'file', 'inner', 'note']],
    ["ecm:path STARTSWITH '/nowhere'", []],
    ["NOT ecm:path STARTSWITH '{path}/inner'", ['file', 'inner', 'note']],
    ["ecm:primaryType = 'Note'", ['note']],
    ["ecm:primaryType IN ('Note', 'Workspace')", ['inner', 'note']],
    ["ecm:mixinType = 'Folderish'", ['inner']],
    ["ecm:mixinType <> 'Folderish'", ['deep', 'file', 'note']],
    ["ecm:mixinType IN ('Folderish', 'HasRelatedText')", ['deep', 'file', 'inner', 'note']],
    ["ecm:mixinType = 'CollectionMember'", ['note']],
    ["ecm:currentLifeCycleState = 'approved'", ['note']],
    ['ecm:isCheckedIn = 1', ['file']],
    ['ecm:isProxy = 1', []],
    ["ecm:tag = 'RED'", ['note']],
    ["ecm:tag/* IN ('red', 'blue')", ['note']],
    ['ecm:tag IS NULL', ['deep', 'file', 'inner']],
    ["ecm:lockOwner = 'Administrator'", ['note']],
    ['ecm:lockCreated <= NOW() AND ecm:lockCreated > NOW("-PT1H")', ['note']],
    ['DATE(ecm:lockCreated) >= DATE "2024-01-01"', ['note']],
    [
      'ecm:isRecord = 0 AND ecm:hasLegalHold = 0 AND ecm:retainUntil IS NULL',
      ['deep', 'file', 'inner', 'note'],
    ],
    ["dc:nature = 'memo'", ['note']],
    ["dc:nature <> 'memo'", ['deep', 'file', 'inner']],
    ["dc:subjects = 'art/music'", ['note']],
    ["dc:subjects/* LIKE 'art%'", ['note']],
    ["dc:subjects/0 = 'art/music'", ['note']],
    ["dc:subjects[1] = 'art/music'", []],
    ["dc:subjects STARTSWITH 'art'", ['note']],
    ["dc:subjects STARTSWITH 'ar'", []],
    ["dc:subjects <> 'art/music'", ['deep', 'file', 'inner']],
    ['dc:subjects/* IS NULL', ['deep', 'file', 'inner']],
    ["file:content/name = 'a.txt'", ['file']],
    ["file:content/mime-type = 'text/plain' AND file:content/length > 3", ['file']],
    ["file:content/length = '4'", ['file']],
    ['file:content IS NOT NULL', ['file']],
    ["files:files/*/file/name = 'a.txt'", []],
    ['uid:major_version = 1', ['file']],
    ["ecm:retainedProperties = 'file:content'", []],
    ['ecm:retainedProperties/* IS NULL', ['deep', 'file', 'inner', 'note']],
    ["dc:created > '2020-01-01'", ['deep', 'file', 'inner', 'note']],
    ['collectionMember:collectionIds IS NOT NULL', ['note']],
    ['collectionMember:collectionIds[*] IS NOT NULL', ['note']],
  ])('find the expected documents: %s', async (where, names) => {
    const ids = {
      '{file}': file.uid,
      '{note}': note.uid,
      '{folder}': folder.uid,
      '{inner}': inner.uid,
      '{path}': folder.path,
    };
    const said = Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, id), where);
    expect(await live(said)).toEqual(names);
  });

  test('find versions by their version properties', async () => {
    const version = (where: string) => below(`ecm:isVersion = 1 AND ecm:primaryType = 'File' AND ${where}`);
    expect(await version(`ecm:versionVersionableId = '${file.uid}'`)).toEqual(['file']);
    expect(await version("ecm:versionLabel = '1.0' AND ecm:isLatestMajorVersion = 1")).toEqual(['file']);
    expect(await version('ecm:isCheckedInVersion = 1 AND ecm:isLatestVersion = 0')).toEqual([]);
    expect(await version('ecm:versionCreated <= NOW() AND ecm:versionDescription IS NULL')).toEqual(['file']);
    expect(await version("ecm:mixinType = 'Immutable'")).toEqual(['file']);
    expect(await below('ecm:versionLabel IS NOT NULL AND ecm:isVersion = 0')).toEqual([]);
  });

  test('find trashed documents and proxies', async () => {
    expect(await below('ecm:isTrashed = 1')).toHaveLength(1);
    expect(await namesWhere(server.request, `ecm:proxyVersionableId = '${file.uid}'`)).toEqual(['file']);
    const proxies =
      "ecm:isProxy = 1 AND ecm:proxyTargetId IS NOT NULL AND ecm:path STARTSWITH '/default-domain'";
    expect(await namesWhere(server.request, proxies)).toEqual(['file']);
  });

  test('find documents of a type and of its subtypes', async () => {
    const of = async (types: string) => {
      const query = `SELECT * FROM ${types} WHERE ecm:ancestorId = '${folder.uid}' AND ecm:isVersion = 0 AND ecm:isTrashed = 0`;
      const { body } = await server.request.get('/api/v1/query').query({ query }).expect(200);
      return body.entries.map(({ name }: DocumentEntity) => name).sort();
    };
    expect(await of('Folder')).toEqual(['inner']);
    expect(await of('Note, Folder')).toEqual(['inner', 'note']);
    expect(await of('Document')).toEqual(['deep', 'file', 'inner', 'note']);
    expect(await of('Relation')).toEqual([]);
  });
});
