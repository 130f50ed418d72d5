/** @group every-database */
import { describe, expect, test } from '@jest/globals';
import { importLines, type LineCounts, type LineImportOptions } from '../../src/import/jsonl/import-lines.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { call } from '../support/requests.ts';
import { useServer } from '../support/server.ts';
import { as, useUsers } from '../support/users.ts';

const server = useServer();
useUsers(server, 'ann', 'ben');
const model = await loadModel(undefined);

const workspaces = '/default-domain/workspaces';

async function* chunks(text: string | Buffer): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += 1000) yield bytes.subarray(start, start + 1000);
}

interface Outcome extends LineCounts {
  /** The message of the error that ended it. */
  readonly fault: string | undefined;
}

/** Imports lines, which are texts or JSON. */
async function importing(
  lines: ReadonlyArray<string | object>,
  options: LineImportOptions = { skipsExisting: false },
): Promise<Outcome> {
  const { database, blobs, secrets } = server;
  const scope = { database, blobs, secrets, model, repository: 'default', user: 'Administrator' };
  const counts: LineCounts = { created: 0, kept: 0, line: 0 };
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  const input = chunks(texts.join('\n'));
  const fault = await importLines({ ...scope, timeoutSeconds: 60 }, input, counts, options).then(
    () => undefined,
    (error: Error) => error.message,
  );
  return { ...counts, fault };
}

let names = 0;

/** The path of a folder of the test's own, and the line that makes it. */
function folder(): { path: string; line: { path: string; type: string } } {
  names += 1;
  const path = `${workspaces}/lines-${names}`;
  return { path, line: { path, type: 'Folder' } };
}

const at = (path: string) => `/api/v1/path${path}`;

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
    expect(await importing([line, '', note])).toEqual({ created: 2, kept: 0, line: 3, fault: undefined });

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

  test('are read from entities, as exports write them too', async () => {
    const { path, line } = folder();
    await importing([line, { path: `${path}/a`, type: 'Note', properties: { 'note:note': 'text' } }]);
    const { body } = await server.request
      .get(at(`${path}/a`))
      .set('properties', '*')
      .expect(200);
    const copy = folder();
    const { contextParameters: _, ...exported } = body;
    const outcome = await importing([copy.line, { ...exported, path: `${copy.path}/a` }]);
    expect(outcome.fault).toBeUndefined();
    const copied = await server.request
      .get(at(`${copy.path}/a`))
      .set('properties', '*')
      .expect(200);
    expect(copied.body.uid).not.toBe(body.uid);
    expect(copied.body.properties).toEqual(body.properties);
  });
});

describe('a faulty line', () => {
  const note = (more: object = {}, name = 'faulty') => ({
    path: `${workspaces}/${name}`,
    type: 'Note',
    ...more,
  });

  test.each<[kind: string, line: string | object, message: string]>([
    ['no JSON', '{"path":', 'it is no JSON: Unexpected end of JSON input'],
    ['no object', '[]', 'Invalid input: expected object, received array'],
    ['no path', { type: 'Note' }, 'path: Invalid input: expected string, received undefined'],
    ['an unknown field', note({ acls: [] }), 'Unrecognized key: "acls"'],
    ['a relative path', { path: 'a', type: 'Note' }, 'path: "a" does not begin with /'],
    ['a path that ends with /', { path: '/a/', type: 'Note' }, 'path: "/a/" ends with /'],
    ['an unclean name', note({}, ' a'), 'which would be called "a"'],
    ['an impossible name', note({}, '..'), 'name: ".." cannot be a path segment'],
    ['an unknown type', note({ type: 'Nothing' }), 'Type: Nothing does not exist'],
    ['an unknown state', note({ state: 'deleted' }), 'state: Invalid option'],
    ['an unknown facet', note({ facets: ['Nothing'] }), 'Facet: Nothing does not exist'],
    ['a version', note({ isVersion: true }), 'isVersion: Invalid input: expected false'],
    ['an unknown property', note({ properties: { 'dc:x': 1 } }), 'unknown property: dc:x'],
    [
      'a value of another type',
      note({ properties: { 'dc:title': 1 } }),
      'Unable to deserialize property: dc:title: expected a string, got a number',
    ],
    ['a broken constraint', note({ properties: { 'dc:subjects': ['none'] } }), 'dc:subjects: '],
    ['an unstorable text', note({ properties: { 'dc:title': '\0' } }), 'a text contains a NUL character'],
    [
      'an address of a blob',
      note({ type: 'File', properties: { 'file:content': { data: 'http://a/b' } } }),
      'http://a/b leads to no blob',
    ],
    [
      'an unknown permission',
      note({ acl: [{ username: 'ann', permission: 'Fly' }] }),
      'Permission Fly is invalid',
    ],
    [
      'an unknown user',
      note({ acl: [{ username: 'nobody', permission: 'Read' }] }),
      'names do not exist: [nobody]',
    ],
    [
      'a missing parent',
      { path: `${workspaces}/missing/a`, type: 'Note' },
      `there is no ${workspaces}/missing, neither in the repository nor in a line before`,
    ],
    ['a taken path', { path: workspaces, type: 'Folder' }, 'there is such a document already'],
  ])('%s ends the import by its number, and nothing of its batch is written', async (_, line, message) => {
    const { path, line: first } = folder();
    const outcome = await importing([first, '', line]);
    expect(outcome).toMatchObject({ created: 0, kept: 0, line: 0 });
    expect(outcome.fault).toContain('line 3: ');
    expect(outcome.fault).toContain(message);
    await server.request.get(at(path)).expect(404);
  });

  test('is a child before its parent, and the same path twice', async () => {
    const { path, line } = folder();
    const child = { path: `${path}/a`, type: 'Note' };
    expect((await importing([child, line])).fault).toContain('line 1: ');
    expect((await importing([line, child, child])).fault).toContain('line 3: ');
  });

  test('that is not in UTF-8 is named', async () => {
    const counts: LineCounts = { created: 0, kept: 0, line: 0 };
    const { database, blobs, secrets } = server;
    const scope = { database, blobs, secrets, model, repository: 'default', user: 'Administrator' };
    const input = chunks(Buffer.from([0x0a, 0xff, 0x0a]));
    await expect(
      importLines({ ...scope, timeoutSeconds: 60 }, input, counts, { skipsExisting: false }),
    ).rejects.toThrow('line 2: it is not in UTF-8');
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
      kept: 2_000,
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
