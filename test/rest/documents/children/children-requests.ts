import type supertest from 'supertest';
import { createDocument, type DocumentEntity } from '../../../support/documents.ts';
import type { TestServer } from '../../../support/server.ts';

/** Creates a folder with a child for each name, which is also its title. */
export async function createFolder(
  server: TestServer,
  names: readonly string[] = [],
  properties: (name: string, index: number) => Record<string, unknown> = (name) => ({ 'dc:title': name }),
): Promise<DocumentEntity> {
  const folder = await createDocument(server, { type: 'Folder' });
  for (const [index, name] of names.entries()) {
    await createDocument(server, { parent: folder.path, name, properties: properties(name, index) });
  }
  return folder;
}

/** Names with padded numbers, `c00`, `c01` …, which sort like the numbers. */
export const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${String(index).padStart(2, '0')}`);

export const children = ({ request }: TestServer, { uid }: DocumentEntity, query = ''): supertest.Test =>
  request.get(`/api/v1/id/${uid}/@children${query}`);
