import { describe, expect, test } from '@jest/globals';
import { bulkJob } from '../../../src/store/bulk/commands.ts';
import { deny, grant, setAcl } from '../../support/acls.ts';
import { bulkEnded, bulkStatusOf, folderOfFiles, resumeBulk, runBulkBelow } from '../../support/bulk.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { askGraphql } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';

const server = useServer();
const bob = useUser(server, 'bob');

const search = '/api/v1/search/bulk';

type Request = typeof server.request;

const statusOf = (id: string, request: Request = server.request) => bulkStatusOf(request, id);
const ended = (id: string, request: Request = server.request) => bulkEnded(request, id);

const run = (
  action: string,
  folder: Pick<DocumentEntity, 'uid'>,
  body: object = {},
  request: Request = server.request,
) => runBulkBelow(request, action, folder, body);

const folderOf = (count: number) => folderOfFiles(server, count);

const shown = async ({ uid }: Pick<DocumentEntity, 'uid'>): Promise<DocumentEntity> =>
  (await server.request.get(atId(uid)).set('properties', '*').expect(200)).body;

describe('POST /search/bulk/ACTION', () => {
  test('answers 202 with the status, and changes all documents that the query finds', async () => {
    const { folder, files } = await folderOf(3);
    const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`;
    const begun = await server.request
      .post(`${search}/setProperties`)
      .query({ query })
      .send({ 'dc:title': 'all' })
      .expect(202)
      .expect('Content-Type', /nuxeo-entity=bulkStatus/);
    expect(begun.body).toEqual({
      'entity-type': 'bulkStatus',
      commandId: expect.any(String),
      state: 'SCHEDULED',
      processed: 0,
      skipCount: 0,
      error: false,
      errorCount: 0,
      total: 0,
      action: 'setProperties',
      username: 'Administrator',
      submitted: expect.stringMatching(/^\d{4}-.*Z$/),
      scrollStart: null,
      scrollEnd: null,
      processingStart: null,
      processingEnd: null,
      completed: null,
      processingMillis: 0,
    });
    expect(await ended(begun.body.commandId)).toMatchObject({
      state: 'COMPLETED',
      processed: 3,
      total: 3,
      completed: expect.stringMatching(/Z$/),
    });
    for (const file of files) expect((await shown(file)).title).toBe('all');
  });

  test('takes a page provider with its parameters', async () => {
    const { folder, files } = await folderOf(2);
    const { body } = await server.request
      .post('/api/v1/search/pp/CURRENT_DOC_CHILDREN/bulk/trash')
      .query({ queryParams: folder.uid })
      .send({})
      .expect(202);
    expect(await ended(body.commandId)).toMatchObject({ state: 'COMPLETED', processed: 2 });
    for (const file of files) expect((await shown(file)).isTrashed).toBe(true);
  });

  test('adds and removes facets, restores from the trash, moves, and deletes', async () => {
    const { folder, files } = await folderOf(1);
    const [file] = files as [DocumentEntity];
    await run('addFacet', folder, { facet: 'HiddenInCreation' });
    expect((await shown(file)).facets).toContain('HiddenInCreation');
    await run('removeFacet', folder, { facet: 'HiddenInCreation' });
    expect((await shown(file)).facets).not.toContain('HiddenInCreation');
    await run('trash', folder);
    await run('untrash', folder);
    expect((await shown(file)).isTrashed).toBe(false);
    const other = await createDocument(server, { type: 'Folder' });
    await run('move', folder, { target: other.path });
    expect((await shown(file)).parentRef).toBe(other.uid);
    const deleted = await run('delete', other);
    expect(deleted).toMatchObject({ action: 'deletion', state: 'COMPLETED', processed: 1 });
    await server.request.get(atId(file.uid)).expect(404);
  });

  test('skips what has gone with its folder', async () => {
    const top = await createDocument(server, { type: 'Folder' });
    const inner = await createDocument(server, { type: 'Folder', parent: top.path });
    await createDocument(server, { parent: inner.path });
    expect(await run('deletion', top)).toMatchObject({ processed: 2, skipCount: 1, errorCount: 0 });
  });

  test('has the rights of the caller for each document, and names those that it failed on', async () => {
    const { folder, files } = await folderOf(3);
    const [first, second, third] = files as [DocumentEntity, DocumentEntity, DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, second.path, [grant('bob', 'ReadWrite')]);
    await setAcl(server, third.path, [deny('Everyone', 'Everything')]);
    const done = await run('setProperties', folder, { 'dc:title': 'bob was here' }, bob);
    expect(done).toMatchObject({ state: 'COMPLETED', total: 2, processed: 2, error: true, errorCount: 1 });
    expect(done.failures).toEqual([{ id: first.uid, message: expect.stringContaining('WriteProperties') }]);
    expect((await shown(second)).title).toBe('bob was here');
    expect((await shown(third)).title).not.toBe('bob was here');
  });

  test.each(['setProperties', 'addFacet', 'removeFacet', 'trash', 'untrash', 'deletion', 'move'])(
    '%s changes nothing for those who may only read',
    async (action) => {
      const { folder, files } = await folderOf(1);
      if (action === 'untrash') await run('trash', folder);
      if (action === 'removeFacet') await run('addFacet', folder, { facet: 'HiddenInCreation' });
      await setAcl(server, folder.path, [grant('bob', 'Read')]);
      const before = await shown(files[0] as DocumentEntity);
      const body = { 'dc:title': 'x', facet: 'HiddenInCreation', target: '/default-domain/workspaces' };
      const sent = action === 'setProperties' ? { 'dc:title': 'x' } : body;
      expect(await run(action, folder, sent, bob)).toMatchObject({ processed: 1, errorCount: 1 });
      expect(await shown(files[0] as DocumentEntity)).toEqual(before);
    },
  );

  test('leaves a document under legal hold as it is, and does the others', async () => {
    const { folder, files } = await folderOf(2);
    const [held, free] = files as [DocumentEntity, DocumentEntity];
    await server.request.post(`${atId(held.uid)}/@op/Document.Hold`).send({ params: {} });
    expect(await run('deletion', folder)).toMatchObject({ processed: 2, errorCount: 1 });
    await server.request.get(atId(held.uid)).expect(200);
    await server.request.get(atId(free.uid)).expect(404);
  });

  test.each([
    ['an unknown action', 'fly', 'SELECT * FROM Document', {}, /^There is no bulk action fly\./],
    ['a faulty query', 'trash', 'SELECT * FRM', {}, /./],
    [
      'an unknown property in the query',
      'trash',
      "SELECT * FROM Document WHERE no:such = 'x'",
      {},
      /no:such/,
    ],
    ['no query', 'trash', '', {}, /query/],
    ['no properties', 'setProperties', 'SELECT * FROM Document', {}, /at least one property is required/],
    ['an unknown facet', 'addFacet', 'SELECT * FROM Document', { facet: 'Nope' }, /Nope/],
    ['no facet', 'addFacet', 'SELECT * FROM Document', {}, /^facet is missing$/],
    [
      'a facet that is no text',
      'removeFacet',
      'SELECT * FROM Document',
      { facet: 5 },
      /^facet must be a string$/,
    ],
    ['no target', 'move', 'SELECT * FROM Document', {}, /^target is missing$/],
    ['an empty target', 'move', 'SELECT * FROM Document', { target: '' }, /^target is missing$/],
  ])('is 400 for %s', async (_, action, query, body, message) => {
    const { body: error } = await server.request
      .post(`${search}/${action}`)
      .query({ query })
      .send(body)
      .expect(400);
    expect(error.message).toMatch(message);
  });

  test('is 400 for a page provider of columns', async () => {
    const { body: error } = await server.request
      .post('/api/v1/search/pp/nxql_search/bulk/trash')
      .query({ queryParams: 'SELECT dc:title FROM Note' })
      .send({})
      .expect(400);
    expect(error.message).toBe('query: expected SELECT *; only Repository.ResultSetQuery can select columns');
  });

  test('is 401 without credentials', () => server.anonymous.post(`${search}/trash`).send({}).expect(401));
});

describe('GET /bulk/ID and PUT /bulk/ID/abort', () => {
  const submit = async (request: Request = server.request): Promise<string> => {
    const query = "SELECT * FROM Document WHERE ecm:name = 'no-such'";
    return (await request.post(`${search}/trash`).query({ query }).send({}).expect(202)).body.commandId;
  };

  test("is 404 for others' commands, except for administrators", async () => {
    const mine = await submit();
    await bob.get(`/api/v1/bulk/${mine}`).expect(404);
    await bob.put(`/api/v1/bulk/${mine}/abort`).expect(404);
    await statusOf(await submit(bob));
  });

  test.each(['00000000-0000-4000-8000-000000000000', 'x'])('is 404 for %s', async (id) => {
    await server.request.get(`/api/v1/bulk/${id}`).expect(404);
    await server.request.put(`/api/v1/bulk/${id}/abort`).expect(404);
  });

  test('an ended command stays as it is', async () => {
    const id = await submit();
    await ended(id);
    const { body } = await server.request.put(`/api/v1/bulk/${id}/abort`).expect(200);
    expect(body.state).toBe('COMPLETED');
  });

  test('a command that waits is aborted', async () => {
    const id = '11111111-1111-4111-8111-111111111111';
    const data = { id, repository: 'default', username: 'Administrator', action: 'trash', parameters: {} };
    const { prisma } = server.database;
    await prisma.bulkCommand.create({ data: { ...data, query: {} } });
    const { body } = await server.request.put(`/api/v1/bulk/${id}/abort`).expect(200);
    expect(body).toMatchObject({ state: 'ABORTED', completed: expect.any(String) });
    await resumeBulk(server, id);
    await until(async () => (await prisma.job.count({ where: { kind: bulkJob } })) === 0);
    expect(await statusOf(id)).toMatchObject({ state: 'ABORTED', scrollStart: null });
  });
});

const byOperation = { 'dc:title': 'by operation' };

test.each([
  ['an object', byOperation],
  ['JSON, which clients send', JSON.stringify(byOperation)],
  ['lines', 'dc:title=by operation'],
])('§4.7 Bulk.RunAction answers the status, and takes parameters as %s', async (_, parameters) => {
  const { folder, files } = await folderOf(1);
  const query = `SELECT * FROM Document WHERE ecm:parentId = '${folder.uid}'`;
  const params = { action: 'setProperties', query, parameters };
  const { body } = await server.request
    .post('/api/v1/automation/Bulk.RunAction')
    .send({ params })
    .expect(200);
  expect(body).toMatchObject({ 'entity-type': 'bulkStatus', state: 'SCHEDULED' });
  await ended(body.commandId);
  expect((await shown(files[0] as DocumentEntity)).title).toBe('by operation');
});

describe('GET /management/bulk', () => {
  const at = '/api/v1/management/bulk';

  test('lists the bulk actions of all users for administrators, the newest first, by state', async () => {
    const { folder } = await folderOf(1);
    const { commandId } = await run('trash', folder);
    const { body } = await server.request.get(at).query({ pageSize: 1 }).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'bulkStatuses', pageSize: 1, isPaginable: true });
    expect(body.entries).toMatchObject([{ 'entity-type': 'bulkStatus', commandId, state: 'COMPLETED' }]);
    const aborted = await server.request.get(at).query({ state: 'SCHEDULED' }).expect(200);
    expect(aborted.body.entries).toEqual([]);
    const faulty = await server.request.get(at).query({ state: 'FAILED' }).expect(400);
    expect(faulty.body.message).toContain('state: "FAILED" is not one of SCHEDULED, ');
    const query = '{ bulkCommands(pageSize: 1) { resultsCount entries { commandId } } }';
    expect(await askGraphql(server.request, query)).toEqual({
      bulkCommands: { resultsCount: body.resultsCount, entries: [{ commandId }] },
    });
  });

  test('costs as many statements for many as for one, and is refused to others', async () => {
    const cost = async (pageSize: number) =>
      statements(await server.request.get(at).query({ pageSize }).expect(200));
    expect(await cost(10)).toBe(await cost(1));
    await bob.get(at).expect(403);
  });
});
