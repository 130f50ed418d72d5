/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { runBulkBelow } from '../support/bulk.ts';
import { atPath as at, createDocument } from '../support/documents.ts';
import { asText, call, calling } from '../support/requests.ts';
import { as, useUsers } from '../support/users.ts';
import { folderLine as folder, useLineImports } from './line-imports.ts';

const { server, importing } = useLineImports();
useUsers(server, 'ann', 'ben');

const log = (ids: readonly string[]) =>
  server.database.prisma.logEntry.findMany({ where: { docUuid: { in: [...ids] } }, orderBy: { id: 'asc' } });

describe('documents of lines', () => {
  test('have the path, type, state, facets and properties of their lines', async () => {
    const { path, line } = folder();
    const properties = {
      'dc:title': 'A Grüße\t\\line',
      'dc:subjects': ['sciences/astronomy'],
      'dc:created': '2001-02-03T04:05:06Z',
      'dc:creator': 'ann',
      'note:note': 'text',
    };
    const note = { path: `${path}/a`, type: 'Note', state: 'approved', facets: ['Collection'], properties };
    expect(await importing([line, '', note])).toEqual({ created: 2, existing: 0, line: 3, fault: undefined });

    const { body } = await server.request.get(at(note.path)).set('properties', '*').expect(200);
    expect(body).toMatchObject({
      path: note.path,
      type: 'Note',
      state: 'approved',
      title: 'A Grüße\t\\line',
    });
    expect(body.facets).toContain('Collection');
    expect(body.properties).toMatchObject({
      ...properties,
      'dc:created': '2001-02-03T04:05:06.000Z',
      'dc:contributors': ['Administrator'],
      'collection:documentIds': [],
    });
    const parent = await server.request.get(at(path)).expect(200);
    expect(body.parentRef).toBe(parent.body.uid);
  });

  test('have the rows and log entries of documents that REST creates', async () => {
    const { path, line } = folder();
    const made = { type: 'File', properties: { 'dc:title': 'x', 'dc:created': '2001-02-03T04:05:06Z' } };
    await importing([line, { path: `${path}/imported`, ...made }]);
    await server.request
      .post(at(path))
      .send({ 'entity-type': 'document', name: 'created', ...made })
      .expect(201);
    const rows = await server.database.prisma.document.findMany({
      where: { path: { startsWith: `${path}/` } },
    });
    const own = { id: '', name: '', path: '' };
    const comparable = rows.map((row) => ({
      ...row,
      ...own,
      properties: { ...(row.properties as object), 'dc:modified': '' },
    }));
    expect(comparable).toHaveLength(2);
    expect(comparable[0]).toEqual(comparable[1]);
    const entries = await log(rows.map(({ id }) => id));
    expect(entries.map(({ eventId, principalName }) => [eventId, principalName])).toEqual([
      ['documentCreated', 'Administrator'],
      ['documentCreated', 'Administrator'],
    ]);
  });

  test('come in the order of their lines, and are found once the index is caught up', async () => {
    const { path, line } = folder();
    const children = ['z', 'm', 'a'].map((name) => ({
      path: `${path}/${name}`,
      type: 'Note',
      properties: { 'dc:title': 'quokka' },
    }));
    await importing([{ ...line, type: 'OrderedFolder' }, ...children]);
    const listed = await server.request.get(`${at(path)}/@children`).expect(200);
    expect(listed.body.entries.map(({ path: found }: { path: string }) => found)).toEqual(
      children.map((child) => child.path),
    );
    const query = encodeURIComponent("SELECT * FROM Document WHERE ecm:fulltext = 'quokka'");
    const found = await server.request.get(`/api/v1/search/execute?query=${query}`).expect(200);
    expect(found.body.resultsCount).toBe(3);
  });

  test('may have blobs of inline text, and tags', async () => {
    const { path, line } = folder();
    const properties = {
      'file:content': { name: 'a.txt', content: 'some text' },
      'nxtag:tags': [{ label: 'imported', username: 'ann' }],
    };
    expect((await importing([line, { path: `${path}/a`, type: 'File', properties }])).fault).toBeUndefined();
    const { text } = await server.request.get(`${at(path)}/a/@blob/file:content`).expect(200);
    expect(text).toBe('some text');
    expect(await server.database.prisma.documentTag.count({ where: { label: 'imported' } })).toBe(1);
  });

  test('have effective ACLs, on stored parents and on those of the same file', async () => {
    const { path, line } = folder();
    const ace = (username: string, permission: string, granted = true) => ({ username, permission, granted });
    const block = ace('Everyone', 'Everything', false);
    await importing([
      { ...line, acl: [ace('ann', 'ReadWrite'), block] },
      { path: `${path}/inner`, type: 'Folder', acl: [ace('ben', 'Read')] },
      { path: `${path}/inner/deep`, type: 'Note' },
    ]);
    await importing([{ path: `${path}/inner/later`, type: 'Note', acl: [ace('ann', 'Write', false)] }]);
    const [ann, ben] = [as(server, 'ann'), as(server, 'ben')];
    await ann.get(at(path)).expect(200);
    await ben.get(at(path)).expect(403);
    await ben.get(at(`${path}/inner/deep`)).expect(200);
    await ben.get(at(`${path}/inner/later`)).expect(200);
    const change = { 'entity-type': 'document', properties: { 'dc:title': 'x' } };
    await ann
      .put(at(`${path}/inner/deep`))
      .send(change)
      .expect(200);
    await ann
      .put(at(`${path}/inner/later`))
      .send(change)
      .expect(403);
    const { body } = await server.request.get(`${at(path)}/@acl`).expect(200);
    expect(body.acl).toEqual([
      {
        name: 'local',
        ace: [
          expect.objectContaining({ id: 'ann:ReadWrite:true:Administrator::' }),
          expect.objectContaining({ username: 'Everyone', granted: false }),
        ],
      },
    ]);
    const { uid } = (await server.request.get(at(path)).expect(200)).body;
    expect((await log([uid])).map(({ eventId }) => eventId)).toEqual([
      'documentCreated',
      'documentSecurityUpdated',
    ]);
    // A change of the upper ACL reaches the imported documents.
    await call(server.request, 'Document.AddPermission', {
      input: path,
      params: { users: ['ben'], permission: 'Write' },
    }).expect(200);
    await ben
      .put(at(`${path}/inner/deep`))
      .send(change)
      .expect(200);
  });

  test('are read from the file of jsonlExport, by which no version or collection comes (§11)', async () => {
    const { path, line } = folder();
    await importing([line]);
    const uidOf = async (document: string) => (await server.request.get(at(document)).expect(200)).body.uid;
    const run = calling(server);
    const properties = { 'dc:title': 'A', 'note:note': 'text' };
    const { uid } = await createDocument(server, { parent: path, type: 'Note', name: 'a', properties });
    const collection = await createDocument(server, { type: 'Collection' });
    await run('Document.AddToCollection', uid, { collection: collection.uid }).expect(200);
    const done = await runBulkBelow(server.request, 'jsonlExport', { uid: await uidOf(path) }, {});
    const file = await asText(server.request.get(`/api/v1/bulk/${done.commandId}/result`)).expect(200);
    const [exported = ''] = file.body.split('\n').filter((each: string) => each.includes(`"uid":"${uid}"`));
    expect(JSON.parse(exported).properties).toMatchObject({
      'uid:minor_version': 1,
      'collectionMember:collectionIds': [collection.uid],
    });

    const kept = { created: 0, existing: 1, fault: undefined };
    expect(await importing([exported], { skipsExisting: true })).toMatchObject(kept);
    const copy = folder();
    const moved = exported.replaceAll(path, copy.path);
    expect(await importing([copy.line, moved])).toMatchObject({ created: 2, fault: undefined });
    const { body } = await server.request
      .get(at(`${copy.path}/a`))
      .set('properties', '*')
      .expect(200);
    expect(body.uid).not.toBe(uid);
    expect(body).toMatchObject({ isCheckedOut: true, changeToken: '0-0' });
    expect(body.properties).toMatchObject({
      ...properties,
      'uid:major_version': 0,
      'uid:minor_version': 0,
    });
    expect(body.facets).not.toContain('CollectionMember');
  });

  test('may have every field of a document in an answer, and of its ACEs (§2.1, §2.5)', async () => {
    const { body } = await server.request.get('/api/v1/openapi.json').expect(200);
    const { Document, Ace } = body.components.schemas;
    const faults: unknown[] = [];
    const add = async (more: object) => faults.push((await importing([{ ...folder().line, ...more }])).fault);
    for (const field of Object.keys(Document.properties)) await add({ [field]: null });
    for (const field of Object.keys(Ace.properties)) await add({ acl: [{ [field]: null }] });
    expect(faults.length).toBeGreaterThan(40);
    expect(faults.filter((fault) => String(fault).includes('Unrecognized'))).toEqual([]);
  });
});

describe('batches', () => {
  const many = (path: string, count: number) =>
    Array.from({ length: count }, (_, index) => ({ path: `${path}/${index}`, type: 'Note' }));

  test('before the faulty line are committed, and the next run goes on behind them', async () => {
    const { path, line } = folder();
    const lines = [line, ...many(path, 2_100)];
    const broken = [...lines.slice(0, 2_050), 'faulty', ...lines.slice(2_050)];
    const first = await importing(broken);
    expect(first).toMatchObject({ created: 2_000, line: 2_000 });
    expect(first.fault).toContain('line 2051: ');
    expect((await importing(lines)).fault).toContain('line 1: ');
    expect(await importing(lines, { skipsExisting: true })).toEqual({
      created: 101,
      existing: 2_000,
      line: 2_101,
      fault: undefined,
    });
    const { body } = await server.request.get(`${at(path)}/@children?pageSize=1`).expect(200);
    expect(body.resultsCount).toBe(2_100);
  });

  test('end with the signal', async () => {
    const { path, line } = folder();
    const stopped = new AbortController();
    const outcome = await importing([line, ...many(path, 6_000)], {
      skipsExisting: false,
      signal: stopped.signal,
      onProgress: () => stopped.abort(),
    });
    expect(outcome.fault).toBeUndefined();
    expect(outcome.created).toBeLessThan(6_000);
    expect(outcome.line).toBe(outcome.created);
  });
});
