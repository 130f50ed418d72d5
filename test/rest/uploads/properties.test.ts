import { beforeEach, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asText, call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { as, useUser } from '../../support/users.ts';
import { beginUpload, cut, send, uploaded } from './upload-requests.ts';

const server = useServer();
const { request } = server;
let batch: string;
useUser(server, 'root', ['administrators']);
beforeEach(async () => {
  batch = await beginUpload(request);
});

const upload = '/api/v1/upload';
const workspaces = '/api/v1/path/default-domain/workspaces';
let count = 0;

const newFile = (properties: Record<string, unknown>) => {
  count += 1;
  return { 'entity-type': 'document', type: 'File', name: `uploaded-${count}`, properties };
};
const change = (properties: Record<string, unknown>) => ({ 'entity-type': 'document', properties });

const bytesAt = async ({ uid }: Pick<DocumentEntity, 'uid'>, xpath = 'file:content'): Promise<string> =>
  (await asText(request.get(`/api/v1/id/${uid}/@blob/${xpath}`)).expect(200)).body;

describe('§2.1 a property that is an upload', () => {
  test('sets the blob of a new document and deletes the batch', async () => {
    await send(request, batch, 0, { content: 'bytes', name: 'é.txt', type: 'text/plain; charset=latin1' });
    const { body } = await request
      .post(workspaces)
      .send(newFile({ 'file:content': uploaded(batch, 0) }))
      .expect(201);
    expect(body.properties['file:content']).toMatchObject({
      name: 'é.txt',
      'mime-type': 'text/plain',
      encoding: 'latin1',
      length: '5',
    });
    expect(await bytesAt(body)).toBe('bytes');
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test.each([
    ['', 'a.css', 'text/css'],
    ['undefined', 'a.css', 'text/css'],
    ['', 'a.unknown-extension', 'text/plain'],
  ])('of the type "%s", as browsers send it, is told by its name %s: %s', async (type, name, told) => {
    await send(request, batch, 0, { content: 'bytes', name, type }).expect(201);
    const sent = newFile({ 'file:content': uploaded(batch, 0) });
    const { body } = await request.post(workspaces).send(sent).expect(201);
    expect(body.properties['file:content']).toMatchObject({ name, 'mime-type': told });
  });

  test('keeps the batch with X-Batch-No-Drop', async () => {
    await send(request, batch, 0, { content: 'again', name: 'a.txt' });
    for (const [header, status] of [
      ['true', 200],
      ['false', 404],
    ] as const) {
      await request
        .post(workspaces)
        .set('X-Batch-No-Drop', header)
        .send(newFile({ 'file:content': uploaded(batch, 0) }))
        .expect(201);
      await request.get(`${upload}/${batch}`).expect(status);
    }
    const faulty = request.post(workspaces).set('X-Batch-No-Drop', 'perhaps');
    expect((await faulty.send(newFile({})).expect(400)).body.message).toContain('X-Batch-No-Drop');
  });

  test('is accepted by PUT, in lists and list items, from several batches', async () => {
    const other = await beginUpload(request);
    for (const index of [0, 1, 2])
      await send(request, batch, index, { content: `b${index}`, name: `b${index}` });
    await send(request, other, 0, { content: 'other', name: 'other' });
    const document = await createDocument(server);
    const files = [0, 1].map((index) => ({ file: uploaded(batch, index) }));
    const put = (properties: Record<string, unknown>) =>
      request.put(`/api/v1/id/${document.uid}`).send(change(properties));
    await put({ 'file:content': uploaded(other, 0), 'files:files': files })
      .set('X-Batch-No-Drop', 'true')
      .expect(200);
    await put({ 'files:files/1/file': uploaded(batch, 2) }).expect(200);
    expect(await bytesAt(document)).toBe('other');
    expect(await bytesAt(document, 'files:files/0/file')).toBe('b0');
    expect(await bytesAt(document, 'files:files/1/file')).toBe('b2');
    await request.get(`${upload}/${other}`).expect(200);
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('costs one SQL statement for all uploads, and one to delete the batches', async () => {
    for (const index of [0, 1, 2, 3]) await send(request, batch, index, { content: 'x', name: `${index}` });
    const costs = [];
    for (const length of [1, 4]) {
      const files = Array.from({ length }, (_, index) => ({ file: uploaded(batch, index) }));
      const sent = request.post(workspaces).set('X-Batch-No-Drop', 'true');
      costs.push(statements(await sent.send(newFile({ 'files:files': files })).expect(201)));
    }
    expect(costs[0]).toBe(costs[1]);
    const inline = newFile({ 'file:content': { content: 'x' } });
    const none = statements(await request.post(workspaces).send(inline).expect(201));
    const dropped = await request.post(workspaces).send(newFile({ 'file:content': uploaded(batch, 0) }));
    expect(statements(dropped)).toBe(none + 2);
  });

  test('may override name and type, and may contain the fields of an upload answer', async () => {
    const { body: answer } = await send(request, batch, 0, { content: 'x', name: 'a.txt' });
    const { batchId: _, ...rest } = answer;
    const { body: shown } = await request.get(`${upload}/${batch}/0`);
    const said = { ...rest, ...shown, name: 'b.md', 'mime-type': 'text/markdown', encoding: 'UTF-8' };
    const { body } = await request
      .post(workspaces)
      .send(newFile({ 'file:content': { ...said, ...uploaded(batch, 0), 'upload-fileId': 0 } }))
      .expect(201);
    expect(body.properties['file:content']).toMatchObject({
      name: 'b.md',
      'mime-type': 'text/markdown',
      encoding: 'UTF-8',
    });
  });

  test('accepts a chunked file only when it is complete', async () => {
    const [first, second] = cut('chunked', 2, 'chunked.txt');
    await send(request, batch, 0, first ?? { content: '' });
    const post = () => request.post(workspaces).send(newFile({ 'file:content': uploaded(batch, 0) }));
    const { body } = await post().expect(400);
    expect(body.message).toBe(
      `file:content: The file 0 of the batch ${batch} is not complete: 1 of 2 chunks were received.`,
    );
    await send(request, batch, 0, second ?? { content: '' });
    expect(await bytesAt((await post().expect(201)).body)).toBe('chunked');
  });

  test.each([
    [
      'a missing batch',
      () => uploaded('batchId-00000000-0000-4000-8000-000000000000', 0),
      /no batch batchId-0/,
    ],
    ['an invalid batch id', () => uploaded('x', 0), /no batch x/],
    ['a missing file', () => uploaded(batch, 5), /no file 5 in the batch/],
    ['an invalid file index', () => uploaded(batch, 'x'), /"x" is not the index of a file/],
    ['no file index', () => ({ 'upload-batch': batch }), /"" is not the index of a file/],
    [
      'a batch id that is no text',
      () => ({ 'upload-batch': 7, 'upload-fileId': '0' }),
      /"upload-batch" of a blob must be a string/,
    ],
    ['only a number', () => ({ 'upload-fileId': '0' }), /a blob needs/],
  ])('answers 400 and writes nothing for %s', async (_, value, message) => {
    await send(request, batch, 0, { content: 'x' });
    const sent = newFile({ 'file:content': value() });
    const { body } = await request.post(workspaces).send(sent).expect(400);
    expect(body.message).toMatch(/^file:content: /);
    expect(body.message).toMatch(message);
    await request.get(`${workspaces}/${sent.name}`).expect(404);
    await request.get(`${upload}/${batch}`).expect(200);
  });

  test('answers 400 for the batch of another user', async () => {
    await send(request, batch, 0, { content: 'secret' });
    const sent = newFile({ 'file:content': uploaded(batch, 0) });
    const { body } = await as(server, 'root').post(workspaces).send(sent).expect(400);
    expect(body.message).toBe(`file:content: There is no batch ${batch}.`);
    await request.get(`${upload}/${batch}`).expect(200);
  });

  test('keeps the batch when the write fails', async () => {
    await send(request, batch, 0, { content: 'x', name: 'a.txt' });
    const properties = { 'file:content': uploaded(batch, 0), 'dc:nature': 'nosuch' };
    await request.post(workspaces).send(newFile(properties)).expect(422);
    await request.get(`${upload}/${batch}/0`).expect(200);
  });
});

describe('§4.7 operations whose properties are uploads', () => {
  test('work for Document.Create, Update, SetProperty and AddItemToListProperty', async () => {
    for (const index of [0, 1, 2, 3])
      await send(request, batch, index, { content: `${index}`, name: `${index}` });
    const [input, name] = ['/default-domain/workspaces', 'made-by-operation'];
    const keeping = { 'X-Batch-No-Drop': 'true' };
    const properties = (index: number) => ({ 'file:content': uploaded(batch, index) });
    const made = await call(request, 'Document.Create', {
      input,
      params: { type: 'File', name, properties: properties(0) },
    })
      .set(keeping)
      .expect(200);
    const { uid } = made.body;
    expect(await bytesAt({ uid })).toBe('0');
    const update = {
      input: uid,
      params: { properties: `file:content=${JSON.stringify(uploaded(batch, 1))}` },
    };
    await call(request, 'Document.Update', update).set(keeping).expect(200);
    expect(await bytesAt({ uid })).toBe('1');
    const item = { xpath: 'files:files', complexJsonProperties: [{ file: uploaded(batch, 3) }] };
    await call(request, 'Document.AddItemToListProperty', { input: uid, params: item })
      .set(keeping)
      .expect(200);
    expect(await bytesAt({ uid }, 'files:files/0/file')).toBe('3');
    const value = { xpath: 'file:content', value: JSON.stringify(uploaded(batch, 2)) };
    await call(request, 'Document.SetProperty', { input: uid, params: value }).expect(200);
    expect(await bytesAt({ uid })).toBe('2');
    await request.get(`${upload}/${batch}`).expect(404);
  });

  test('set the file on each document of a list', async () => {
    await send(request, batch, 0, { content: 'for each', name: 'a.txt' });
    const documents = [await createDocument(server), await createDocument(server)];
    const input = documents.map(({ uid }) => uid);
    const params = { properties: { 'file:content': uploaded(batch, 0) } };
    await call(request, 'Document.Update', { input, params }).expect(200);
    for (const document of documents) expect(await bytesAt(document)).toBe('for each');
    await request.get(`${upload}/${batch}`).expect(404);
  });
});
