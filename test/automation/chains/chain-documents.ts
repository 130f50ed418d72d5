import { createDocument, type DocumentEntity } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';

/** A folder with so many documents. */
export async function folderWith(
  server: Pick<TestServer, 'request'>,
  count: number,
): Promise<{ folder: DocumentEntity; documents: DocumentEntity[] }> {
  const folder = await createDocument(server, { type: 'Folder' });
  const documents: DocumentEntity[] = [];
  for (let index = 0; index < count; index += 1)
    documents.push(await createDocument(server, { parent: folder.path, name: `d${index}` }));
  return { folder, documents };
}
