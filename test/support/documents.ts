import type supertest from 'supertest';
import type { Requests } from './requests.ts';
import type { TestServer } from './server.ts';

/** A document, a version or a proxy in a response. */
export interface DocumentEntity {
  readonly 'entity-type': 'document';
  readonly uid: string;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly state: string;
  readonly title: string;
  readonly parentRef: string | null;
  readonly changeToken: string;
  readonly isTrashed: boolean;
  readonly isVersion: boolean;
  readonly isProxy: boolean;
  readonly isCheckedOut: boolean;
  readonly isLatestVersion?: boolean;
  readonly isLatestMajorVersion?: boolean;
  readonly versionLabel?: string;
  readonly versionableId?: string;
  readonly proxyTargetId?: string;
  readonly facets: string[];
  readonly properties: Record<string, unknown>;
}

/** The default parent of documents that tests create. */
export const workspaces = '/default-domain/workspaces';

/** An id that belongs to no document. */
export const missingId = '00000000-0000-4000-8000-000000000000';

/** Returns the URL of a document with a given path. */
export const atPath = (path: string): string =>
  `/api/v1/path${path.split('/').map(encodeURIComponent).join('/')}`;

/** Returns the URL of a document with a given id. */
export const atId = (id: string): string => `/api/v1/id/${id}`;

/** Returns the body of a request that creates or changes a document. */
export const documentBody = (fields: Record<string, unknown>): Record<string, unknown> => ({
  'entity-type': 'document',
  ...fields,
});

let count = 0;

/** Returns a name that is unique within a test file. */
function newName(type: string): string {
  count += 1;
  return `${type.toLowerCase()}-${count}`;
}

/** Creates a document. By default, this is a file in the workspaces folder. */
export async function createDocument(
  { request }: Pick<TestServer, 'request'>,
  {
    parent = workspaces,
    type = 'File',
    name = newName(type),
    properties = {},
  }: {
    parent?: string | undefined;
    type?: string;
    name?: string | undefined;
    properties?: Record<string, unknown>;
  } = {},
): Promise<DocumentEntity> {
  const response = await request.post(atPath(parent)).send(documentBody({ type, name, properties }));
  if (response.status !== 201) throw new Error(`The document ${name} could not be created: ${response.text}`);
  return response.body as DocumentEntity;
}

/** Reads a document by its id or path. */
export async function readDocument(request: Requests, reference: string): Promise<DocumentEntity> {
  const { body } = await request
    .get(reference.startsWith('/') ? atPath(reference) : atId(reference))
    .expect(200);
  return body;
}

/** Changes properties of a document. */
export const updateDocument = (
  request: Requests,
  id: string,
  properties: object,
  headers: Record<string, string> = {},
): supertest.Test => request.put(atId(id)).set(headers).send(documentBody({ properties }));

/** Returns the names of the documents on a page, in order. */
export const namesIn = ({ body }: { body: { entries: readonly DocumentEntity[] } }): string[] =>
  body.entries.map(({ name }) => name);

/** Writes properties to a document's row without validation, as if an earlier release had stored them. */
export async function storeProperties(
  { database }: Pick<TestServer, 'database'>,
  id: string,
  properties: Record<string, unknown>,
): Promise<void> {
  const where = { repository_id: { repository: 'default', id } };
  const row = await database.prisma.document.findUniqueOrThrow({ where, select: { properties: true } });
  const data = { properties: JSON.parse(JSON.stringify({ ...Object(row.properties), ...properties })) };
  await database.prisma.document.update({ where, data, select: { id: true } });
}
