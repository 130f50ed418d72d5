import { describe, expect, test } from '@jest/globals';
import { grant, setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob', ['members']);

const run = calling(server);
const properties = {
  'dc:title': 'A',
  'dc:subjects': ['art'],
  'dc:nature': 'article',
  'file:content': { content: 'bytes', name: 'a.txt' },
  'files:files': [{ file: { content: 'x' } }],
};
const kept = ['dc:created', 'dc:creator', 'uid:major_version', 'uid:minor_version'];
const blobsOf = async (documentId: string) =>
  (await server.database.prisma.documentBlob.findMany({ where: { documentId } }))
    .map(({ xpath }) => xpath)
    .sort();

describe('Document.ResetSchema', () => {
  test('keeps other schemas and the fields that the server maintains; ReadWrite suffices', async () => {
    const made = await createDocument(server, { properties });
    await setAcl(server, made.path, [grant('bob', 'ReadWrite')]);
    await run('Document.CheckIn', made.uid, { version: 'major' }).expect(200);
    for (const schema of ['dublincore', 'uid'])
      await run('Document.ResetSchema', made.uid, { schema }, bob).expect(200);
    const { body } = await run('Document.ResetSchema', made.uid, { schema: 'dublincore' }, bob).expect(200);
    expect(body.changeToken).toBe('1-1'); // there was nothing left to change
    expect(body.properties).toMatchObject({
      'dc:title': null,
      'dc:subjects': [],
      'dc:nature': null,
      'dc:lastContributor': 'bob',
      'dc:creator': 'Administrator',
      'dc:created': made.properties['dc:created'],
      'uid:major_version': 1,
      'file:content': { name: 'a.txt' },
    });
  });

  test('clears one property by its xpath and drops the blobs of cleared properties', async () => {
    const { uid } = await createDocument(server, { properties });
    const { body } = await run('Document.ResetSchema', uid, {
      schema: 'dublincore',
      xpath: 'dc:nature',
    }).expect(200);
    expect(body.properties).toMatchObject({ 'dc:title': 'A', 'dc:nature': null });
    await run('Document.ResetSchema', uid, { schema: 'file' }).expect(200);
    expect(await blobsOf(uid)).toEqual(['files:files/0/file']);
    await run('Document.ResetSchema', uid, { xpath: 'files:files[0]/file' }).expect(200);
    expect(await blobsOf(uid)).toEqual([]);
  });

  test('restores the default values of new documents', async () => {
    const { uid } = await createDocument(server, {
      type: 'Note',
      properties: { 'note:mime_type': 'text/html' },
    });
    const fresh = await createDocument(server, { type: 'Note' });
    const { body } = await run('Document.ResetSchema', uid, { schema: 'note' }).expect(200);
    expect(body.properties['note:mime_type']).toBe(fresh.properties['note:mime_type']);
  });
});

describe('Document.CopySchema', () => {
  test('copies all values, blobs and unset ones included, and leaves the source unchanged', async () => {
    const source = await createDocument(server, { properties });
    const target = await createDocument(server, { properties: { 'dc:source': 'gone', 'dc:title': 'B' } });
    await run('Document.CheckIn', source.uid, { version: 'minor' }).expect(200);
    const copy = (schema: string, more: object) =>
      run('Document.CopySchema', target.uid, { schema, ...more });
    await copy('dublincore', { sourcePath: source.path }).expect(200);
    await copy('files', { sourceId: `doc:${source.uid}` }).expect(200);
    const { body } = await copy('file', { sourceId: source.uid }).expect(200);
    expect(body.properties).toMatchObject({
      'dc:title': 'A',
      'dc:subjects': ['art'],
      'dc:source': null,
      'file:content': { name: 'a.txt', length: '5' },
      'files:files': [{ file: { length: '1' } }],
    });
    for (const xpath of kept) expect(body.properties[xpath]).toEqual(target.properties[xpath]);
    expect(await blobsOf(target.uid)).toEqual(['file:content', 'files:files/0/file']);
    expect((await server.request.get(`/api/v1/id/${target.uid}/@blob`).expect(200)).text).toBe('bytes');
    expect((await server.request.get(`/api/v1/id/${source.uid}`)).body.changeToken).toBe('1-0');
  });

  test('copies from a version to several documents with at most three statements each', async () => {
    const source = await createDocument(server, { properties });
    await run('Document.CheckIn', source.uid, { version: 'minor' }).expect(200);
    const { body: version } = await run('Document.GetLastVersion', source.uid, {}).expect(200);
    const targets = await Promise.all([1, 2].map(() => createDocument(server)));
    const params = { schema: 'dublincore', sourceId: version.uid };
    const list = await run(
      'Document.CopySchema',
      targets.map(({ uid }) => uid),
      params,
    ).expect(200);
    expect(list.body.entries.map(({ title }: DocumentEntity) => title)).toEqual(['A', 'A']);
    expect(statements(list)).toBeLessThanOrEqual(2 + 2 * 3);
    const fault = await run('Document.CopySchema', version.uid, {
      schema: 'dublincore',
      sourceId: source.uid,
    });
    expect([fault.status, fault.body.message]).toEqual([400, expect.stringMatching(/cannot be modified\.$/)]);
  });
});
