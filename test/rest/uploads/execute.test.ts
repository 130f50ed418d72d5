import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { asText } from '../../automation/calls.ts';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import { start, statements, type TestServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, createUser } from '../../support/users.ts';
import { beginUpload, cut, send } from './upload-requests.ts';

let server: TestServer;
let request: TestServer['request'];
let batch: string;
let file: DocumentEntity;
beforeAll(async () => {
  server = await start();
  request = server.request;
  await createUser(server, 'root', ['administrators']);
});
afterAll(() => server.stop());
beforeEach(async () => {
  batch = await beginUpload(request);
  file = await createDocument(server);
});

const upload = '/api/v1/upload';
const attach = 'execute/Blob.AttachOnDocument';
const call = (xpath?: string) => ({ params: { document: file.uid, ...(xpath && { xpath }) } });
const execute = (at: string, body: object = call()) => request.post(`${upload}/${batch}/${at}`).send(body);

const namesOf = async (): Promise<Array<string | undefined>> => {
  const { body } = await request.get(`/api/v1/id/${file.uid}`).expect(200);
  const { 'file:content': content, 'files:files': files } = body.properties;
  return [content?.name, ...files.map((item: { file: { name: string } }) => item.file.name)];
};

describe('§4.7 POST /upload/BATCH/INDEX/execute/OPERATION', () => {
  test('works on the file, and ends the batch', async () => {
    await send(request, batch, 4, { content: 'attached', name: 'a.txt' });
    const answer = await asText(execute(`4/${attach}`)).expect(200);
    expect(answer.body).toBe('attached');
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(await namesOf()).toEqual(['a.txt']);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('by an older name, through a repository, keeping the batch, whatever the body says of an input', async () => {
    await send(request, batch, 0, { content: 'x', name: 'a.txt' });
    await request
      .post(`/api/v1/repo/default/upload/${batch}/0/execute/Blob.Attach`)
      .set('X-Batch-No-Drop', 'true')
      .set('X-NXVoidOperation', 'true')
      .send({ input: 'doc:/', ...call() })
      .expect(204);
    expect(await namesOf()).toEqual(['a.txt']);
    await request.get(`${upload}/${batch}`).expect(200);
  });

  test('works on a file in chunks once it is whole', async () => {
    const [first, last] = cut('chunked', 2, 'chunked.txt');
    await send(request, batch, 0, first ?? { content: '' });
    const { body } = await execute(`0/${attach}`).expect(400);
    expect(body.message).toContain('is not complete: 1 of 2 chunks are there');
    await send(request, batch, 0, last ?? { content: '' });
    expect((await asText(execute(`0/${attach}`)).expect(200)).body).toBe('chunked');
  });

  test('leaves the batch when it fails', async () => {
    await send(request, batch, 0, { content: 'x' });
    await execute(`0/${attach}`, { params: { document: '/nosuch' } }).expect(404);
    await execute(`0/${attach}`, {}).expect(400);
    await request.get(`${upload}/${batch}/0`).expect(200);
  });

  test.each([
    ['a file that is not there', '1', 404],
    ['no number', 'x', 404],
  ])('%s', async (_, index, status) => {
    await send(request, batch, 0, { content: 'x' });
    await execute(`${index}/${attach}`).expect(status);
  });

  test('of somebody else, for administrators too, and of no batch: 404', async () => {
    await send(request, batch, 0, { content: 'x' });
    await as(server, 'root').post(`${upload}/${batch}/0/${attach}`).send(call()).expect(404);
    await as(server, 'root').post(`${upload}/${batch}/${attach}`).send(call()).expect(404);
    await request.post(`${upload}/x/0/${attach}`).send(call()).expect(404);
    expect(await namesOf()).toEqual([undefined]);
  });

  test('an operation that there is not, or that takes no files', async () => {
    await send(request, batch, 0, { content: 'x' });
    await execute('0/execute/Nosuch').expect(404);
    const { body } = await execute('0/execute/Document.GetParent', {}).expect(400);
    expect(body.message).toBe('input: Document.GetParent takes document, not bloblist');
    await request.get(`${upload}/${batch}`).expect(200);
    await request.get(`${upload}/${batch}/0/${attach}`).expect(405);
  });

  test('without waiting', async () => {
    await send(request, batch, 0, { content: 'later', name: 'later.txt' });
    const { headers } = await execute(`0/${attach}/@async`).expect(202);
    const status = String(headers.location).replace(/^https?:\/\/[^/]+/, '');
    await until(async () => (await request.get(status)).status === 303);
    expect((await asText(request.get(status.replace(/\/status$/, ''))).expect(200)).body).toBe('later');
    expect(await namesOf()).toEqual(['later.txt']);
    await request.get(`${upload}/${batch}`).expect(404);
  });
});

describe('§4.7 POST /upload/BATCH/execute/OPERATION', () => {
  test('works on all files, in the order of their numbers, and ends the batch', async () => {
    for (const index of [2, 0, 1]) await send(request, batch, index, { content: 'x', name: `${index}.txt` });
    await execute(attach, call('files:files'))
      .expect(200)
      .expect('Content-Type', /^multipart\/mixed/);
    expect(await namesOf()).toEqual([undefined, '0.txt', '1.txt', '2.txt']);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('answers a list for a list of one', async () => {
    await send(request, batch, 0, { content: 'x', name: 'one.txt' });
    const body = { context: { currentDocument: '/default-domain/workspaces' } };
    const answer = await execute('execute/FileManager.Import', body).expect(200);
    expect(answer.body).toMatchObject({ 'entity-type': 'documents', entries: [{ title: 'one.txt' }] });
  });

  test('finds the files by one statement, however many there are', async () => {
    const costs = [];
    for (const length of [1, 3]) {
      for (let index = 0; index < length; index += 1) await send(request, batch, index, { content: 'x' });
      const sent = execute(attach, call('files:files')).set('X-Batch-No-Drop', 'true');
      costs.push(statements(await sent.expect(200)));
    }
    expect(costs[0]).toBe(costs[1]);
  });

  test('has nothing to work on in a batch without files, or that is not there', async () => {
    const { body } = await execute(attach).expect(400);
    expect(body.message).toBe(`the batch ${batch} has no files`);
    await request.delete(`${upload}/${batch}`).expect(204);
    await execute(attach).expect(404);
  });
});
