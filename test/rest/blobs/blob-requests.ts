import type supertest from 'supertest';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';

/** A blob in a JSON answer (§2.1). */
export interface BlobEntity {
  readonly name: string | null;
  readonly 'mime-type': string;
  readonly encoding: string | null;
  readonly digestAlgorithm: string;
  readonly digest: string;
  readonly length: string;
  readonly data: string;
  readonly blobUrl: string;
}

export const blobIn = (document: DocumentEntity, xpath = 'file:content'): BlobEntity =>
  document.properties[xpath] as BlobEntity;

export const createFile = (server: TestServer, blob: Record<string, unknown>): Promise<DocumentEntity> =>
  createDocument(server, { properties: { 'file:content': blob } });

/** Creates a File with attached files of these contents. */
export const createWithFiles = (server: TestServer, contents: readonly string[]): Promise<DocumentEntity> =>
  createDocument(server, {
    properties: { 'files:files': contents.map((content) => ({ file: { content } })) },
  });

/** Creates a File with binary bytes, stored as an upload would store them. */
export async function createBinary(
  server: TestServer,
  bytes: Uint8Array,
  described: { name?: string | null; mimeType?: string; encoding?: string | null } = {},
): Promise<DocumentEntity> {
  const { repository, uid, properties } = (await createFile(server, { content: '' })) as DocumentEntity & {
    repository: string;
  };
  const stored = await server.blobs.write([bytes]);
  const blob = { name: null, mimeType: 'application/octet-stream', encoding: null, ...described, ...stored };
  const { prisma } = server.database;
  const key = { repository, id: uid };
  const kept = { 'dc:title': String(properties['dc:title'] ?? ''), 'file:content': blob };
  await prisma.documentBlob.updateMany({ where: { documentId: uid }, data: { digest: stored.digest } });
  await prisma.document.updateMany({ where: key, data: { properties: kept } }); // the search index notes it
  return readDocument(server.request, uid);
}

/** Removes the origin from an address of this server. */
export const local = (url: string): string => url.slice(new URL(url).origin.length);

const collect = (response: supertest.Response, done: (error: Error | null, body: Buffer) => void): void => {
  const chunks: Buffer[] = [];
  const stream = response as unknown as NodeJS.ReadableStream;
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  stream.on('end', () => done(null, Buffer.concat(chunks)));
};

/** Sends a GET whose body is returned as bytes for every content type. */
export const download = ({ request }: TestServer, address: string): supertest.Test =>
  request.get(address).buffer(true).parse(collect);

export const textIn = ({ body }: { body: unknown }): string => (body as Buffer).toString();

/** A File with the text "hello world", and the address of its blob. */
export async function createHello(server: TestServer): Promise<{ file: DocumentEntity; at: string }> {
  const file = await createFile(server, { content: 'hello world', name: 'hello.txt' });
  return { file, at: `/api/v1/id/${file.uid}/@blob` };
}

/** Returns the document_blob rows of a document: digests by xpath. */
export async function blobRowsOf({ database }: TestServer, uid: string): Promise<Record<string, string>> {
  const rows = await database.prisma.documentBlob.findMany({ where: { documentId: uid } });
  return Object.fromEntries(rows.map(({ xpath, digest }) => [xpath, digest]));
}
