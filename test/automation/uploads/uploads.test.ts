import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { bodyOf, filePart, jsonPart, typeOf } from '../../rest/automation/multipart-bodies.ts';
import { authorization } from '../../support/administrator.ts';
import { createDocument } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { until } from '../../support/until.ts';

const server = useServer({ UPLOAD_LIMIT: '64mb' });
let port: number;
beforeAll(async () => {
  port = await server.listen();
});

/** A call whose body stays incomplete until the test writes the rest. */
function begin(operation: string, { credentials = authorization, length = 50_000_000 } = {}) {
  const socket = connect(port, '127.0.0.1');
  const lines = [
    `POST /api/v1/automation/${operation} HTTP/1.1`,
    'Host: quire.example',
    `Content-Length: ${length}`,
    `Content-Type: ${typeOf('related')}`,
    ...(credentials ? [`Authorization: ${credentials}`] : []),
  ];
  let answer = '';
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1');
  });
  socket.on('error', () => {});
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return { socket, answer: () => answer };
}

const unfinished = () => readdir(join(server.dataDir, 'blobs', 'unfinished'));
const stored = async () => (await readdir(join(server.dataDir, 'blobs'), { recursive: true })).length;

describe('§4.7 a slow request body', () => {
  test.each([
    ['nobody says who calls', 'Blob.AttachOnDocument', { credentials: '' }, 401],
    ['the operation does not exist', 'Nosuch', {}, 404],
    ['it is longer than UPLOAD_LIMIT', 'Blob.AttachOnDocument', { length: 70_000_000 }, 413],
  ])('is refused before its end when %s', async (_, operation, given, status) => {
    const { socket, answer } = begin(operation, given);
    await until(() => answer().includes('"entity-type":"exception"'));
    expect(answer()).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  });

  test.each([
    ['the JSON is wrong', [jsonPart('related', '{')], /JSON/],
    [
      'there is a part too many',
      [jsonPart('related', {}), filePart('related', 'a', Buffer.from('x'))],
      /does not accept files here/,
    ],
  ])('is refused before its end when %s', async (_, parts, message) => {
    const { socket, answer } = begin('Document.GetParent');
    socket.write(bodyOf(parts, '\r\n--the-boundary\r\n'));
    await until(() => answer().includes('"entity-type":"exception"'));
    expect(answer()).toMatch(/^HTTP\/1.1 400 /);
    expect(answer()).toMatch(message);
    socket.destroy();
  });

  test('is streamed to the disk, and leaves nothing when it breaks off', async () => {
    const { uid } = await createDocument(server);
    const before = await stored();
    const { socket } = begin('Blob.AttachOnDocument');
    const call = jsonPart('related', { params: { document: uid } });
    socket.write(bodyOf([call, filePart('related', 'a', Buffer.alloc(2_000_000))], ''));
    await until(async () => (await unfinished()).length === 1);
    socket.destroy();
    await until(async () => (await unfinished()).length === 0);
    expect(await stored()).toBe(before);
    expect(await server.database.prisma.documentBlob.count({ where: { documentId: uid } })).toBe(0);
    expect(server.logged.filter(({ level }) => Number(level) >= 50)).toEqual([]);
  });

  test('leaves the connection usable for the next request', async () => {
    const body = bodyOf([jsonPart('related', '{'), filePart('related', 'a', Buffer.alloc(3_000_000))]);
    const { socket, answer } = begin('Log', { length: body.length });
    socket.write(body);
    await until(() => answer().includes('"entity-type":"exception"'));
    const lines = ['GET /api/v1/automation/Log HTTP/1.1', 'Host: x', `Authorization: ${authorization}`];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await until(() => answer().includes('"signature"'));
    socket.destroy();
  });
});
