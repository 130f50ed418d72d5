import { askGraphql } from '../support/requests.ts';
import type { TestServer } from '../support/server.ts';

export interface Created {
  readonly uid: string;
  readonly path: string;
}

/** A function that creates a document with a title. It uses GraphQL, whose address does not depend on CONTEXT_PATH. */
export const documentCreator =
  (server: TestServer) =>
  async (parent: string, type: string, title: string, properties = {}): Promise<Created> => {
    const query = `mutation ($parent: String!, $document: NewDocument!) {
      createDocument(parentPath: $parent, document: $document) { uid path }
    }`;
    const document = { type, name: title, properties: { 'dc:title': title, ...properties } };
    const data = await askGraphql<{ createDocument: Created }>(server.request, query, { parent, document });
    return data.createDocument;
  };
