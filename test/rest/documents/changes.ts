import { atPath, createDocument, type DocumentEntity, documentBody } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';

let titles = 0;
/** The body of an update that changes the title. */
export const change = () => {
  titles += 1;
  return documentBody({ properties: { 'dc:title': `title ${titles}` } });
};

/** Creates a document and updates it once, so that its change token is 0-1. */
export async function changedOnce(server: TestServer): Promise<DocumentEntity> {
  const { path } = await createDocument(server);
  return (await server.request.put(atPath(path)).send(change()).expect(200)).body;
}
