import { beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asText } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { as, useUser } from '../../support/users.ts';
import { beginUpload, cut, send } from './upload-requests.ts';

const server = useServer();
const { request } = server;
let batch: string;
let file: DocumentEntity;
useUser(server, 'root', ['administrators']);
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
  test('runs the operation on the file and deletes the batch', async () => {
    await send(request, batch, 4, { content: 'attached', name: 'a.txt' });
    const answer = await asText(execute(`4/${attach}`)).expect(200);
    expect(answer.body).toBe('attached');
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(await namesOf()).toEqual(['a.txt']);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('accepts an alias and a repository, keeps the batch with X-Batch-No-Drop and ignores input', async () => {
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

  test('runs on a chunked file only when it is complete', async () => {
    const [first, last] = cut('chunked', 2, 'chunked.txt');
    await send(request, batch, 0, first ?? { content: '' });
    const { body } = await execute(`0/${attach}`).expect(400);
    expect(body.message).toContain('is not complete: 1 of 2 chunks were received.');
    await send(request, batch, 0, last ?? { content: '' });
    expect((await asText(execute(`0/${attach}`)).expect(200)).body).toBe('chunked');
  });

  test('keeps the batch when the operation fails', async () => {
    await send(request, batch, 0, { content: 'x' });
    await execute(`0/${attach}`, { params: { document: '/nosuch' } }).expect(404);
    await execute(`0/${attach}`, {}).expect(400);
    await request.get(`${upload}/${batch}/0`).expect(200);
  });

  test.each([
    ['a missing file', '1', 404],
    ['an invalid index', 'x', 400],
  ])('answers an error for %s', async (_, index, status) => {
    await send(request, batch, 0, { content: 'x' });
    await execute(`${index}/${attach}`).expect(status);
  });

  test('answers 404 to other users, including administrators, and for an unknown batch', async () => {
    await send(request, batch, 0, { content: 'x' });
    await as(server, 'root').post(`${upload}/${batch}/0/${attach}`).send(call()).expect(404);
    await as(server, 'root').post(`${upload}/${batch}/${attach}`).send(call()).expect(404);
    await request.post(`${upload}/x/0/${attach}`).send(call()).expect(404);
    expect(await namesOf()).toEqual([undefined]);
  });

  test('answers an error for an unknown operation and for one without blob input', async () => {
    await send(request, batch, 0, { content: 'x' });
    await execute('0/execute/Nosuch').expect(404);
    const { body } = await execute('0/execute/Document.GetParent', {}).expect(400);
    expect(body.message).toBe('input: Document.GetParent accepts document, not bloblist.');
    await request.get(`${upload}/${batch}`).expect(200);
    await request.get(`${upload}/${batch}/0/${attach}`).expect(405);
  });

  test('runs asynchronously with @async', async () => {
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
  test('runs the operation on all files in the order of their indexes and deletes the batch', async () => {
    for (const index of [2, 0, 1]) await send(request, batch, index, { content: 'x', name: `${index}.txt` });
    await execute(attach, call('files:files'))
      .expect(200)
      .expect('Content-Type', /^multipart\/mixed/);
    expect(await namesOf()).toEqual([undefined, '0.txt', '1.txt', '2.txt']);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('answers a list for a batch with one file', async () => {
    await send(request, batch, 0, { content: 'x', name: 'one.txt' });
    const body = { context: { currentDocument: '/default-domain/workspaces' } };
    const answer = await execute('execute/FileManager.Import', body).expect(200);
    expect(answer.body).toMatchObject({ 'entity-type': 'documents', entries: [{ title: 'one.txt' }] });
  });

  test('finds the files in the same number of SQL statements for any number of files', async () => {
    const costs = [];
    for (const length of [1, 3]) {
      for (let index = 0; index < length; index += 1) await send(request, batch, index, { content: 'x' });
      const sent = execute(attach, call('files:files')).set('X-Batch-No-Drop', 'true');
      costs.push(statements(await sent.expect(200)));
    }
    expect(costs[0]).toBe(costs[1]);
  });

  test('answers 400 for an empty batch and 404 for a missing one', async () => {
    const { body } = await execute(attach).expect(400);
    expect(body.message).toBe(`The batch ${batch} has no files.`);
    await request.delete(`${upload}/${batch}`).expect(204);
    await execute(attach).expect(404);
  });
});
