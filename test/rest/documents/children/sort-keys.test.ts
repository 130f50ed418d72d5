import { beforeAll, describe, expect, test } from '@jest/globals';
import { stockModel } from '../../../../src/model/contributed/contributed.ts';
import { modelOf } from '../../../model/model-of.ts';
import { atId, createDocument, type DocumentEntity, updateDocument } from '../../../support/documents.ts';
import { call } from '../../../support/requests.ts';
import { statements, useServer } from '../../../support/server.ts';

const indexes = ['dc:source', 'dc:expired', 'file:content/length'].map((property) => ({ property }));
const server = useServer({}, { indexes });
const { request } = server;
let folder: DocumentEntity;

/** What searches know beside the properties. */
const ofSystem =
  `uuid name path pos parentId primaryType currentLifeCycleState isProxy isVersion isCheckedInVersion
  isCheckedIn isLatestVersion isLatestMajorVersion versionLabel versionDescription versionCreated
  versionVersionableId versionableId proxyTargetId proxyVersionableId lockOwner lockCreated isTrashed isRecord
  isFlexibleRecord hasLegalHold retainUntil retainedProperties tag blobKeys ancestorId mixinType fulltext
  fulltextScore acl nothing`.split(/\s+/);

const nested = ['file:content', 'files:files/0/file'].flatMap((place) =>
  ['name', 'mime-type', 'encoding', 'digest', 'length', 'nothing'].map((field) => `${place}/${field}`),
);

const properties = modelOf(stockModel)
  .schemasOf('File', [])
  .flatMap((schema) => [...schema.properties.keys()]);

const keys = [
  ...ofSystem.map((name) => `ecm:${name}`),
  ...properties,
  ...nested,
  'dc:subjects/0',
  'dc:subjects/*',
  'dc:subjects/*1',
  'title',
  'nothing',
  'dc:nothing',
  'ecm:acl/*1/name',
];

const child = (name: string, length: number, properties: object = {}) =>
  createDocument(server, {
    parent: folder.path,
    name,
    properties: { 'file:content': { content: 'x'.repeat(length), name: `${name}.txt` }, ...properties },
  });

beforeAll(async () => {
  folder = await createDocument(server, { type: 'Folder' });
  const a = await child('a', 30, { 'dc:title': 'one', 'dc:source': 'z', 'dc:expired': '2024-01-01' });
  const b = await child('b', 4, { 'dc:title': 'two', 'dc:source': 'y', 'dc:subjects': ['art'] });
  await child('c', 200, { 'dc:title': 'three', 'dc:expired': '2023-01-01' });
  await createDocument(server, { parent: folder.path, type: 'Note', name: 'd' });
  await call(request, 'Document.Lock', { input: a.uid }).expect(200);
  await call(request, 'Document.MakeRecord', { input: b.uid }).expect(200);
  await updateDocument(request, b.uid, { 'dc:nature': 'article' }, { 'X-Versioning-Option': 'MINOR' }).expect(
    200,
  );
});

const children = (sortBy: string, sortOrder: string, page: object = {}) =>
  request.get(`${atId(folder.uid)}/@children`).query({ sortBy, sortOrder, ...page });

const provided = (sortBy: string, sortOrder: string) =>
  request.get(`${atId(folder.uid)}/@pp/CURRENT_DOC_CHILDREN`).query({ sortBy, sortOrder });

const names = (entries: readonly DocumentEntity[] = []) => entries.map(({ name }) => name).join('');

describe('§4.7 @children is sorted by the keys of its page provider', () => {
  test.each(keys)('%s', async (key) => {
    for (const order of ['asc', 'desc']) {
      const [mine, its] = [await children(key, order), await provided(key, order)];
      expect([mine.status, names(mine.body.entries)]).toEqual([its.status, names(its.body.entries)]);
      if (mine.status === 200) continue;
      expect(mine.body.message).toBe(`sortBy: "${key}" is not a property that children can be sorted by.`);
    }
  });

  test.each([
    ['file:content/length', 'bacd'],
    ['file:content/name', 'abcd'],
    ['dc:expired', 'ca'],
    ['ecm:lockOwner', 'a'],
    ['ecm:isRecord', ''],
  ])('%s, page by page and by cursor, in as many statements as any', async (key, first) => {
    const whole = await children(key, 'asc').expect(200);
    const all = names(whole.body.entries);
    expect([...all].sort().join('')).toBe('abcd');
    expect(all.slice(0, first.length)).toBe(first);
    const paged: string[] = [];
    let cursor = '*';
    while (cursor) {
      const { body } = await children(key, 'asc', { pageSize: 1, cursor }).expect(200);
      paged.push(names(body.entries));
      cursor = body.nextCursor;
    }
    expect(paged.join('')).toBe(all);
    expect(statements(whole)).toBe(statements(await children('dc:title', 'asc').expect(200)));
  });
});
