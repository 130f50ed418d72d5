import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';

/** Returns the versions of a document, the oldest first. */
export async function versionsOf(request: TestServer['request'], id: string): Promise<DocumentEntity[]> {
  const { body } = await call(request, 'Document.GetVersions', { input: id }).expect(200);
  return body.entries as DocumentEntity[];
}

export const labelsOf = async (
  request: TestServer['request'],
  id: string,
): Promise<Array<string | undefined>> =>
  (await versionsOf(request, id)).map(({ versionLabel }) => versionLabel);

/** Returns the version label of a document; a `+` follows it when the document is checked out. */
export async function labelOf({ request }: Pick<TestServer, 'request'>, id: string): Promise<string> {
  const query = 'query ($id: ID!) { document(id: $id) { versionLabel } }';
  const { body } = await request.post('/graphql').send({ query, variables: { id } }).expect(200);
  return body.data.document.versionLabel as string;
}

/** Creates a document with a version per option, and checks it out after the last one. */
export async function versionedDocument(server: TestServer, options: readonly string[]) {
  const document = await createDocument(server);
  for (const [index, value] of options.entries()) {
    const headers = { 'X-Versioning-Option': value };
    await updateDocument(server.request, document.uid, { 'dc:title': String(index) }, headers).expect(200);
  }
  await updateDocument(server.request, document.uid, { 'dc:title': 'now' }).expect(200);
  return { ...document, versions: await versionsOf(server.request, document.uid) };
}

export const idOf = (versions: readonly DocumentEntity[], index: number): string =>
  versions.at(index)?.uid ?? '';
