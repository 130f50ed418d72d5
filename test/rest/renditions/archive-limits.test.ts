/** @group slow */

import { readdir } from 'node:fs/promises';
import { request as send } from 'node:http';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { unzipSync } from 'fflate';
import { authorization } from '../../support/administrator.ts';
import { atId, createDocument, type DocumentEntity } from '../../support/documents.ts';
import { asBytes, call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';
import { useUser } from '../../support/users.ts';
import { beginUpload, send as upload } from '../uploads/upload-requests.ts';

const limit = 100_000;
const server = useServer({ UPLOAD_LIMIT: String(limit) });
const { request } = server;
const ann = useUser(server, 'ann', ['administrators']);
const bob = useUser(server, 'bob', ['administrators']);

afterEach(() => {
  jest.restoreAllMocks();
});

const content = 'x'.repeat(limit / 2 - 10_000);
const blob = (name: string) => ({ content, name });
const fileIn = (parent?: string): Promise<DocumentEntity> =>
  createDocument(server, { parent, properties: { 'file:content': blob('a.txt') } });
const at = ({ uid }: DocumentEntity, name: string): string => `${atId(uid)}/@rendition/${name}`;

const refusal = {
  'entity-type': 'exception',
  status: 400,
  message: `An archive can contain at most ${limit} bytes of files (UPLOAD_LIMIT). Request fewer files.`,
};

describe('An archive is of UPLOAD_LIMIT bytes of files at most, and else 400 before one is read', () => {
  test('zipExport: a file counts as often as the document names it', async () => {
    const files = (count: number) =>
      Array.from({ length: count }, (_, index) => ({ file: blob(`${index}.txt`) }));
    const [many, few] = [
      await createDocument(server, { properties: { 'files:files': files(3) } }),
      await createDocument(server, { properties: { 'files:files': files(2) } }),
    ];
    const read = jest.spyOn(server.blobs, 'read');
    expect((await request.get(at(many, 'zipExport')).expect(400)).body).toMatchObject(refusal);
    expect(read).not.toHaveBeenCalled();
    await request.get(at(few, 'zipExport')).expect(200);
  });

  test('folders, lists and uploads: all of their files count', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    const documents = [await fileIn(folder.path), await fileIn(folder.path), await fileIn(folder.path)];
    const uids = documents.map(({ uid }) => uid);
    const batch = await beginUpload(request);
    for (const file of [0, 1, 2]) await upload(request, batch, file, blob(`${file}.txt`)).expect(201);
    const read = jest.spyOn(server.blobs, 'read');
    const refused = [
      await request.get(at(folder, 'zipTreeExport')),
      await request.get(at(folder, 'containerDefaultRendition')),
      await call(request, 'Document.GetContainerRendition', { input: folder.uid }),
      await call(request, 'Blob.BulkDownload', { input: uids }),
      await request.post(`/api/v1/upload/${batch}/execute/Blob.CreateZip`).send({}),
    ];
    for (const { body } of refused) expect(body).toMatchObject(refusal);
    expect(read).not.toHaveBeenCalled();
    await call(request, 'Blob.BulkDownload', { input: uids.slice(1) }).expect(200);
    await request.delete(atId(uids[0] ?? '')).expect(204);
    await request.get(at(folder, 'zipTreeExport')).expect(200);
  });

  test('an operation on a list makes one archive after the other, however many', async () => {
    const documents = await Promise.all(Array.from({ length: 25 }, () => fileIn()));
    const input = documents.map(({ uid }) => uid);
    const { body } = await asBytes(
      call(request, 'Document.Export', { input, params: { exportAsZip: true } }),
    ).expect(200);
    expect(String(body).match(/application\/zip/g)).toHaveLength(25);
  });
});

/** Keeps files from being read until it is opened. */
function closedGate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const streams: Readable[] = [];
  let asked = 0;
  const read = server.blobs.read.bind(server.blobs);
  jest.spyOn(server.blobs, 'read').mockImplementation(async (...given) => {
    asked += 1;
    await opened;
    const stream = await read(...given);
    streams.push(stream);
    return stream;
  });
  return { open, streams, asked: () => asked };
}

describe('Archives take turns', () => {
  test('one of a user and two of all at a time; with a time limit the others are 503 soon', async () => {
    const file = await fileIn();
    const gate = closedGate();
    const get = (who: typeof ann) => asBytes(who.get(at(file, 'zipExport'))).then((answer) => answer);
    const sent = [get(ann), get(ann), get(ann)];
    await until(() => gate.asked() === 1);
    sent.push(get(bob));
    await until(() => gate.asked() === 2);
    sent.push(get(request));
    const { body, headers } = await bob
      .get(at(file, 'zipExport'))
      .set('Svc-Transaction-Timeout', '60')
      .expect(503);
    expect(body.message).toBe('Too many archives are being created. Try again soon.');
    expect(headers['retry-after']).toMatch(/^[1-9]\d*$/);
    expect(gate.asked()).toBe(2);
    gate.open();
    for (const answer of await Promise.all(sent)) {
      expect(answer.status).toBe(200);
      expect(Object.keys(unzipSync(answer.body as Buffer)).sort()).toEqual(['a.txt', 'document.xml']);
    }
  });

  test('and are given up when their client leaves, with the file that is read', async () => {
    const file = await fileIn();
    const gate = closedGate();
    const port = await server.listen();
    const get = () =>
      send({
        port,
        host: '127.0.0.1',
        path: at(file, 'zipExport'),
        headers: { Authorization: authorization },
      })
        .on('error', () => {}) // it is cut off
        .end();
    const [first, second] = [get(), get()];
    await until(() => gate.asked() === 1);
    const unfinished = join(server.dataDir, 'blobs/unfinished');
    await until(async () => (await readdir(unfinished)).length === 1);
    for (const left of [first, second]) left.destroy();
    await until(async () => (await readdir(unfinished)).length === 0);
    gate.open();
    await until(() => gate.streams.some(({ destroyed }) => destroyed));
    expect(gate.asked()).toBe(1);
    // The turn of both is over: another archive is made, and read for its answer.
    await request.get(at(file, 'zipExport')).expect(200);
    expect(gate.asked()).toBe(3);
  });
});
