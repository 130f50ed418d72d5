import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument } from '../support/factories.ts';
import { administrator, start, type TestServer } from '../support/server.ts';
import { until } from '../support/until.ts';
import { bodyOf, filePart, jsonPart, typeOf } from './bodies.ts';

let server: TestServer;
let http: Server;
beforeAll(async () => {
  server = await start({ UPLOAD_LIMIT: '64mb' });
  http = createServer(server.app);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  http.closeAllConnections();
  http.close();
  await server.stop();
});

const credentials = `Basic ${Buffer.from(Object.values(administrator).join(':')).toString('base64')}`;

/** A call whose body does not end before somebody says so. */
function begin(operation: string, { authorization = credentials, length = 50_000_000 } = {}) {
  const socket = connect((http.address() as AddressInfo).port, '127.0.0.1');
  const lines = [
    `POST /api/v1/automation/${operation} HTTP/1.1`,
    ...['Host: quire.example', `Content-Length: ${length}`, `Content-Type: ${typeOf('related')}`],
    ...(authorization ? [`Authorization: ${authorization}`] : []),
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

describe('§4.7 a body that is long in coming', () => {
  test.each([
    ['nobody says who calls', 'Blob.AttachOnDocument', { authorization: '' }, 401],
    ['the operation does not exist', 'Nosuch', {}, 404],
    ['it is longer than UPLOAD_LIMIT', 'Blob.AttachOnDocument', { length: 70_000_000 }, 413],
  ])('is not waited for when %s', async (_, operation, given, status) => {
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
      /a part too many/,
    ],
  ])('is not waited for when %s', async (_, parts, message) => {
    const { socket, answer } = begin('Document.GetParent');
    socket.write(bodyOf(parts, '\r\n--the-boundary\r\n'));
    await until(() => answer().includes('"entity-type":"exception"'));
    expect(answer()).toMatch(/^HTTP\/1.1 400 /);
    expect(answer()).toMatch(message);
    socket.destroy();
  });

  test('goes to the disk as it comes; of one that breaks off nothing stays', async () => {
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

  test('does not keep a connection from the next request', async () => {
    const body = bodyOf([jsonPart('related', '{'), filePart('related', 'a', Buffer.alloc(3_000_000))]);
    const { socket, answer } = begin('Log', { length: body.length });
    socket.write(body);
    await until(() => answer().includes('"entity-type":"exception"'));
    const lines = ['GET /api/v1/automation/Log HTTP/1.1', 'Host: x', `Authorization: ${credentials}`];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    await until(() => answer().includes('"signature"'));
    socket.destroy();
  });
});
