import type { TestServer } from './server.ts';

/** A document entity as answers show it. */
export interface DocumentEntity {
  readonly 'entity-type': 'document';
  readonly uid: string;
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly title: string;
  readonly changeToken: string;
  readonly isVersion: boolean;
  readonly parentRef: string | null;
  readonly properties: Record<string, unknown>;
}

let count = 0;

/** A name that no other document of this test file has. */
function newName(type: string): string {
  count += 1;
  return `${type.toLowerCase()}-${count}`;
}

/** A document for a test, below /default-domain/workspaces unless it says otherwise. */
export async function createDocument(
  { request }: Pick<TestServer, 'request'>,
  {
    parent = '/default-domain/workspaces',
    type = 'File',
    name = newName(type),
    properties = {},
  }: { parent?: string; type?: string; name?: string; properties?: Record<string, unknown> } = {},
): Promise<DocumentEntity> {
  const address = `/api/v1/path${parent.split('/').map(encodeURIComponent).join('/')}`;
  const response = await request.post(address).send({ 'entity-type': 'document', type, name, properties });
  if (response.status !== 201) throw new Error(`could not create ${name}: ${response.text}`);
  return response.body as DocumentEntity;
}
