import { describe, expect, test } from '@jest/globals';
import type { ChainDefinition } from '../../../src/model/chains/chain-definitions.ts';
import { grant, setAcl } from '../../support/acls.ts';
import {
  type BulkStatus,
  bulkEnded,
  folderOfFiles,
  foldersOfMany,
  resumeBulk,
  runBulkBelow,
} from '../../support/bulk.ts';
import { type DocumentEntity, readDocument } from '../../support/documents.ts';
import { askGraphql, call } from '../../support/requests.ts';
import { type TestServer, useServer } from '../../support/server.ts';
import { useUser } from '../../support/users.ts';

const setTitle = (value: string) => ({ id: 'Document.SetProperty', params: { xpath: 'dc:title', value } });

const chains: ChainDefinition[] = [
  {
    name: 'rename',
    params: [{ name: 'to', required: true }],
    operations: [setTitle('expr:@{ChainParameters.to}')],
  },
  {
    name: 'mailed',
    operations: [{ id: 'Document.Mail', params: { to: 'x@y.z', subject: 'x', from: 'x@y.z', message: 'x' } }],
  },
  { name: 'within', operations: [{ id: 'RunOperation', params: { id: 'mailed' } }] },
  { name: 'waiting', operations: [{ id: 'Elasticsearch.WaitForIndexing' }, setTitle('waited')] },
  { name: 'hidden', isForAdministrators: true, operations: [setTitle('hidden')] },
];

const server = useServer({}, { chains });
const bob = useUser(server, 'bob');

type Request = TestServer['request'];

const folderOf = (count: number) => folderOfFiles(server, count);

const run = (
  folder: DocumentEntity,
  operationId: string,
  parameters?: object,
  request: Request = server.request,
): Promise<BulkStatus> =>
  runBulkBelow(request, 'automation', folder, { operationId, ...(parameters && { parameters }) });

const titleOf = async ({ uid }: DocumentEntity) => (await readDocument(server.request, uid)).title;

describe('§4.7 POST /search/bulk/automation', () => {
  test('runs an operation on each document that is found', async () => {
    const { folder, files } = await folderOf(3);
    const done = await run(folder, 'Document.SetProperty', { xpath: 'dc:title', value: 'all' });
    expect(done).toMatchObject({ action: 'automation', state: 'COMPLETED', processed: 3, errorCount: 0 });
    for (const file of files) expect(await titleOf(file)).toBe('all');
  });

  test('takes older names, operations without parameters, and expressions', async () => {
    const { folder, files } = await folderOf(1);
    const [file] = files as [DocumentEntity];
    await run(folder, 'Document.Trash');
    expect((await readDocument(server.request, file.uid)).isTrashed).toBe(true);
    await run(folder, 'Document.Untrash', {});
    const value = 'expr:of @{Document.path}';
    await run(folder, 'Document.SetProperty', { xpath: 'dc:title', value });
    expect(await titleOf(file)).toBe(`of ${file.path}`);
    await run(folder, 'Document.SetLifeCycle', { value: 'approve' });
    expect((await readDocument(server.request, file.uid)).state).toBe('approved');
  });

  test('runs an operation on documents, and a chain with its parameters', async () => {
    const { folder, files } = await folderOf(2);
    const { uid: collection } = (
      await call(server.request, 'Collection.Create', { params: { name: 'all of them' } }).expect(200)
    ).body;
    expect(await run(folder, 'Document.AddToCollection', { collection })).toMatchObject({ errorCount: 0 });
    const { body } = await call(server.request, 'Collection.GetDocumentsFromCollection', {
      input: collection,
    }).expect(200);
    expect(body.resultsCount).toBe(2);
    await run(folder, 'rename', { to: 'chained' });
    for (const file of files) expect(await titleOf(file)).toBe('chained');
  });

  test('has the rights of the caller for each document, and names those that it failed on', async () => {
    const { folder, files } = await folderOf(2);
    const [first, second] = files as [DocumentEntity, DocumentEntity];
    await setAcl(server, folder.path, [grant('bob', 'Read')]);
    await setAcl(server, second.path, [grant('bob', 'ReadWrite')]);
    const done = await run(folder, 'Document.SetProperty', { xpath: 'dc:title', value: "bob's" }, bob);
    expect(done).toMatchObject({ state: 'COMPLETED', processed: 2, error: true, errorCount: 1 });
    expect(done.failures).toEqual([{ id: first.uid, message: expect.stringContaining('WriteProperties') }]);
    expect([await titleOf(first), await titleOf(second)]).toEqual([first.title, "bob's"]);
  });

  test('leaves nothing of a chain that fails half way, and lets no document take too much', async () => {
    const { folder, files } = await folderOf(1);
    const [file] = files as [DocumentEntity];
    const list = Array.from({ length: 101 }, (_, index) => `t${index}`);
    const parameters = { xpath: 'dc:title', value: 'expr:item' };
    const done = await run(folder, 'RunOperationOnList', { id: 'Document.SetProperty', list, parameters });
    expect(done).toMatchObject({ state: 'COMPLETED', errorCount: 1 });
    expect(done.failures).toEqual([{ id: file.uid, message: 'The call runs more than 100 operations.' }]);
    expect(await titleOf(file)).toBe(file.title);
  });

  test('goes on where its process died', async () => {
    const { files } = await folderOf(2);
    const [done, left] = files as [DocumentEntity, DocumentEntity];
    const id = '66666666-6666-4666-8666-666666666666';
    await server.database.prisma.bulkCommand.create({
      data: {
        id,
        repository: 'default',
        username: 'Administrator',
        action: 'automation',
        parameters: { operationId: 'Document.SetProperty', parameters: { xpath: 'dc:title', value: 'on' } },
        query: {},
        state: 'RUNNING',
        total: 2,
        processed: 1,
        items: { create: [{ depth: 4, documentId: left.uid }] },
      },
    });
    await resumeBulk(server, id);
    expect(await bulkEnded(server.request, id)).toMatchObject({ state: 'COMPLETED', processed: 2 });
    expect([await titleOf(done), await titleOf(left)]).toEqual([done.title, 'on']);
  });

  test('keeps an uploaded file for all slices', async () => {
    const { folder, total } = await foldersOfMany(server);
    const { batchId } = (await server.request.post('/api/v1/upload').expect(201)).body;
    await server.request
      .post(`/api/v1/upload/${batchId}/0`)
      .set('X-File-Name', 'all.txt')
      .set('Content-Type', 'application/octet-stream')
      .send('for all')
      .expect(201);
    const file = { 'upload-batch': batchId, 'upload-fileId': '0' };
    const done = await run(folder, 'Document.SetBlob', { file });
    const folders = (done.failures as unknown[]).length;
    expect(done).toMatchObject({ state: 'COMPLETED', processed: total, errorCount: folders });
    const query = `SELECT * FROM File WHERE ecm:ancestorId = '${folder.uid}' AND content/name = 'all.txt'`;
    const { body } = await server.request.get('/api/v1/search/execute').query({ query }).expect(200);
    expect(body.resultsCount).toBe(total - folders);
    await server.request.get(`/api/v1/upload/${batchId}`).expect(404);
  });
});

const title = { xpath: 'dc:title', value: 'x' };

describe('§4.7 what is refused before it begins', () => {
  const refusals: ReadonlyArray<readonly [string, object, RegExp]> = [
    ['no operation', {}, /^operationId is missing$/],
    ['an unknown operation', { operationId: 'Fly' }, /^Operation: Fly does not exist\./],
    ['a script', { operationId: 'RunScript' }, /scripts are not supported\.$/],
    [
      'an operation without a document',
      { operationId: 'Log', parameters: { message: 'x' } },
      /its input is .*, not a document/,
    ],
    ['one that answers a file', { operationId: 'Document.GetBlob' }, /its output is a file/],
    [
      'a missing parameter',
      { operationId: 'Document.SetProperty', parameters: { value: 'x' } },
      /^xpath is missing$/,
    ],
    [
      'a list of parameters',
      { operationId: 'Document.Trash', parameters: [] },
      /^parameters must be an object$/,
    ],
    ['an unknown field', { operationId: 'Document.Trash', odd: 1 }, /^there is no parameter odd$/],
    ['a missing parameter of a chain', { operationId: 'rename' }, /^to is missing$/],
    [
      'a chain that waits',
      { operationId: 'waiting' },
      /^Elasticsearch.WaitForIndexing cannot be a bulk action/,
    ],
    [
      'an unknown operation in another',
      { operationId: 'RunOperation', parameters: { id: 'Fly' } },
      /Operation: Fly does not exist\./,
    ],
  ];

  test.each(refusals)('%s: 400', async (_, body, message) => {
    const query = "SELECT * FROM Document WHERE ecm:name = 'no-such'";
    const sent = server.request.post('/api/v1/search/bulk/automation').query({ query }).send(body);
    expect((await sent.expect(400)).body.message).toMatch(message);
  });

  test('an unknown parameter by Prefer: handling=strict alone, as in a call', async () => {
    const query = "SELECT * FROM Document WHERE ecm:name = 'no-such'";
    const body = { operationId: 'Document.SetProperty', parameters: { ...title, odd: 1 } };
    const send = () => server.request.post('/api/v1/search/bulk/automation').query({ query }).send(body);
    const refused = await send().set('Prefer', 'handling=strict').expect(400);
    expect(refused.body.message).toBe('Document.SetProperty has no parameter odd');
    await send().expect(202);
  });

  test.each(['Document.Mail', 'hidden', 'mailed', 'within'])(
    '%s, of which administrators alone have all operations: 403 for others',
    async (operationId) => {
      const query = "SELECT * FROM Document WHERE ecm:name = 'no-such'";
      const parameters =
        operationId === 'Document.Mail' ? { to: 'x@y.z', subject: 'x', from: 'x@y.z', message: 'x' } : {};
      const send = (request: Request) =>
        request.post('/api/v1/search/bulk/automation').query({ query }).send({ operationId, parameters });
      expect((await send(bob).expect(403)).body.message).toMatch(/^Only administrators can call /);
      await send(server.request).expect(202);
    },
  );

  test('in GraphQL too', async () => {
    const query = `mutation { runBulkAction(
      action: "automation", query: "SELECT * FROM Document", parameters: {operationId: "Fly"}) { commandId } }`;
    await expect(askGraphql(server.request, query)).rejects.toThrow('Operation: Fly does not exist.');
  });
});

test('§4.7 Bulk.RunAction takes automationUi over a page provider, as the published components send it', async () => {
  const { folder, files } = await folderOf(2);
  const parameters = JSON.stringify({
    operationId: 'Document.SetProperty',
    parameters: { ...title, value: 'ui' },
  });
  const params = {
    action: 'automationUi',
    providerName: 'advanced_document_content',
    parameters,
    queryParams: [],
    namedParameters: { ecm_parentId: folder.uid },
    currentPageIndex: 0,
    pageSize: 40,
  };
  const { body } = await call(server.request, 'Bulk.RunAction', { params }).expect(200);
  const { commandId } = body.value;
  expect(await bulkEnded(server.request, commandId)).toMatchObject({ action: 'automationUi', processed: 2 });
  for (const file of files) expect(await titleOf(file)).toBe('ui');
});
