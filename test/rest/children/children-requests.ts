import type supertest from 'supertest';
import { createDocument, type DocumentEntity } from '../../support/factories.ts';
import type { TestServer } from '../../support/server.ts';

/** A folder of its own for a test, with as many children as names: their titles are their names. */
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

/** `c0`, `c1` … so that their order is that of their numbers. */
export const numbered = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `c${String(index).padStart(2, '0')}`);

/** GET of a folder's children. */
export const children = ({ request }: TestServer, { uid }: DocumentEntity, query = ''): supertest.Test =>
  request.get(`/api/v1/id/${uid}/@children${query}`);

export const namesIn = ({ body }: { body: { entries: readonly DocumentEntity[] } }): string[] =>
  body.entries.map(({ name }) => name);
