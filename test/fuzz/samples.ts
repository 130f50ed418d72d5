import { authorization } from '../support/administrator.ts';
import { exchange, parseAnswer } from './raw.ts';
import type { Known } from './requests.ts';
import type { FuzzedServer } from './running.ts';

/** The stock administrator. */
/** Sends a request as the stock administrator; a text is sent unchanged, anything else as JSON. */
export async function ask(port: number, target: string, json?: unknown, method = json ? 'POST' : 'GET') {
  const body = typeof json === 'string' ? json : json === undefined ? '' : JSON.stringify(json);
  const lines = [
    `${method} ${target} HTTP/1.1`,
    'Host: h',
    'Connection: close',
    `Authorization: ${authorization}`,
  ];
  lines.push('Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`, '', body);
  return parseAnswer(await exchange(port, Buffer.from(lines.join('\r\n'))));
}

const blob = (name: string) => ({ name, content: `bytes of ${name}` });

const documents = [
  { parent: '/', name: 'folder', type: 'Folder', properties: { 'dc:title': 'A folder' } },
  {
    parent: '/folder',
    name: 'file',
    type: 'File',
    properties: { 'file:content': blob('a.txt'), 'files:files': [{ file: blob('b.txt') }] },
  },
  {
    parent: '/folder',
    name: 'note',
    type: 'Note',
    properties: { 'note:note': 'text', 'note:mime_type': 'text/x' },
  },
  { parent: '/folder', name: '@odd näme 100% ÿ', type: 'Folder', properties: {} },
];

/** Creates documents as targets of requests: valid ones, with blobs, and one whose name must be encoded. */
export async function samples({ port, database }: FuzzedServer): Promise<Known[]> {
  await ask(port, '/api/v1/path/folder', undefined, 'DELETE');
  for (const { parent, ...document } of documents) {
    const { status, body } = await ask(port, `/api/v1/path${parent}`, {
      'entity-type': 'document',
      ...document,
    });
    if (status !== 201) throw new Error(`no sample: ${status} ${body.toString()}`);
  }
  const rows = await database.prisma.document.findMany({ where: { path: { startsWith: '/folder' } } });
  return rows.map(({ id, path }) => ({ uid: id, path }));
}

/** A batch of the administrator. */
export const someBatch = 'batchId-b1a5f0e1-0000-4000-8000-000000000000';

/** Creates that batch unless it exists. */
export async function sampleBatch({ database }: Pick<FuzzedServer, 'database'>): Promise<void> {
  const id = someBatch.slice('batchId-'.length);
  const data = [{ id, userId: 'Administrator' }];
  await database.prisma.uploadBatch.createMany({ data, skipDuplicates: true });
}
