/** @group every-database */

import { beforeAll, describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { folderOfFiles, runBulkBelow } from '../../support/bulk.ts';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { as, createUser } from '../../support/users.ts';
import { audit, type LogEntryEntity } from './audit-requests.ts';

const server = useServer();
beforeAll(() => createUser(server, 'ann'));

/** The latest entry about a document. */
async function latest(document: { readonly uid: string }): Promise<LogEntryEntity> {
  const { body } = await audit(server, document, { pageSize: 1 }).expect(200);
  return body.entries[0];
}

const run = (operation: string, uid: string, params: object = {}) =>
  server.request.post(`/api/v1/automation/${operation}`).send({ input: uid, params }).expect(200);

async function changesOf(document: DocumentEntity, properties: object): Promise<unknown> {
  await updateDocument(server.request, document.uid, properties).expect(200);
  const query = { eventId: 'documentModified', pageSize: 1 };
  const { body } = await audit(server, document, query).expect(200);
  return body.entries[0].extended.changes;
}

describe('§2.6 the log entry of a modified document', () => {
  test('names each changed property with its former and its new value, and no property that is the same', async () => {
    const document = await createDocument(server, {
      properties: { 'dc:title': 'Plan', 'dc:description': 'old', 'dc:subjects': ['art'], 'dc:rights': 'all' },
    });
    const properties = { 'dc:title': 'Plan', 'dc:description': 'new', 'dc:subjects': ['art', 'sciences'] };
    const changes = await changesOf(document, { ...properties, 'dc:rights': null, 'dc:source': 'ann' });
    expect(changes).toHaveLength(4);
    expect(changes).toEqual(
      expect.arrayContaining([
        { property: 'dc:description', before: 'old', after: 'new' },
        { property: 'dc:subjects', before: ['art'], after: ['art', 'sciences'] },
        { property: 'dc:rights', before: 'all', after: null },
        { property: 'dc:source', before: null, after: 'ann' },
      ]),
    );
  });

  test('shortens a long text to the place where it differs', async () => {
    const around = 'lorem ipsum '.repeat(1_000);
    const document = await createDocument(server, {
      type: 'Note',
      properties: { 'note:note': `${around}thirty days${around}` },
    });
    const [change] = (await changesOf(document, { 'note:note': `${around}sixty days${around}` })) as [
      { readonly before: string; readonly after: string },
    ];
    expect(change.before).toMatch(/^….*thirty days.*…$/);
    expect(change.after).toMatch(/^….*sixty days.*…$/);
    expect(Math.max(change.before.length, change.after.length)).toBeLessThanOrEqual(202);
  });

  test('records at most 200 characters of each value', async () => {
    const [many, long] = [await createDocument(server), 'x'.repeat(5_000)];
    const values = { 'dc:description': long, 'dc:rights': long, 'dc:source': long };
    const changes = (await changesOf(many, values)) as { after: string }[];
    expect(changes.map(({ after }) => after.length)).toEqual([201, 201, 201]);
  });

  test('shows a file by its name and length, without the digest that would let others attach it', async () => {
    const content = { content: 'first', name: 'a.txt' };
    const document = await createDocument(server, { properties: { 'file:content': content } });
    const change = { property: 'file:content', before: { name: 'a.txt', length: 5 } };
    const after = { 'file:content': { content: 'second', name: 'b.txt' } };
    expect(await changesOf(document, after)).toEqual([{ ...change, after: { name: 'b.txt', length: 6 } }]);
  });

  test('has the changes of each document after a bulk action', async () => {
    const { folder, files } = await folderOfFiles(server, 2);
    await runBulkBelow(server.request, 'setProperties', folder, { 'dc:source': 'all' });
    for (const file of files)
      expect((await latest(file)).extended.changes).toEqual([
        { property: 'dc:source', before: null, after: 'all' },
      ]);
  });

  test('names the facets before and after the addition of one', async () => {
    const document = await createDocument(server);
    await run('Document.AddFacet', document.uid, { facet: 'Thumbnail' });
    expect((await latest(document)).extended.changes).toEqual([
      { property: 'ecm:mixinType', before: expect.any(Array), after: expect.arrayContaining(['Thumbnail']) },
    ]);
  });

  test('names the former and the new path after a move', async () => {
    const document = await createDocument(server);
    const folder = await createDocument(server, { type: 'Folder' });
    await run('Document.Move', document.uid, { target: folder.path, name: 'moved' });
    const changes = [{ property: 'ecm:path', before: document.path, after: `${folder.path}/moved` }];
    expect(await latest(document)).toMatchObject({ eventId: 'documentMoved', extended: { changes } });
  });
});

describe('§2.6 the log entries of tags and publications', () => {
  test('name the tags that were added and removed, and leave out calls that change nothing', async () => {
    const document = await createDocument(server);
    await setAcl(server, document.path, [grant('ann', 'ReadWrite')]);
    const tags = (operation: string, params: object) =>
      as(server, 'ann').post(`/api/v1/automation/${operation}`).send({ input: document.uid, params });
    await tags('Services.TagDocument', { tags: 'Blue, green' }).expect(200);
    expect(await latest(document)).toMatchObject({
      eventId: 'documentTagUpdated',
      principalName: 'ann',
      extended: { added: ['blue', 'green'], removed: [] },
    });
    const { id } = await latest(document);
    await tags('Services.TagDocument', { tags: 'blue' }).expect(200);
    expect((await latest(document)).id).toBe(id);
    await tags('Services.UntagDocument', { tags: 'blue' }).expect(200);
    expect((await latest(document)).extended).toEqual({ added: [], removed: ['blue'] });
  });

  test('appear in the history of the document with the section and the version', async () => {
    const document = await createDocument(server);
    const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
    await run('Document.PublishToSection', document.uid, { target: section.uid });
    const extended = { section: section.uid, version: '0.1' };
    expect(await latest(document)).toMatchObject({ eventId: 'documentPublished', extended });
    await server.request
      .post('/api/v1/automation/Document.UnpublishAll')
      .send({ input: document.uid })
      .expect(204);
    expect(await latest(document)).toMatchObject({ eventId: 'documentUnpublished', extended });
  });

  test('appear in the history of the document when its proxy is deleted', async () => {
    const document = await createDocument(server);
    const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
    const { body } = await run('Document.PublishToSection', document.uid, { target: section.uid });
    await server.request.delete(`/api/v1/id/${body.uid}`).expect(204);
    expect((await latest(document)).eventId).toBe('documentUnpublished');
  });
});
