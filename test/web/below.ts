import { askGraphql } from '../support/requests.ts';
import type { TestServer } from '../support/server.ts';

export interface Created {
  readonly uid: string;
  readonly path: string;
}

/** Creates documents by their titles, by GraphQL: REST has another address where there is a CONTEXT_PATH. */
export const belowOf =
  (server: TestServer) =>
  async (parent: string, type: string, title: string, properties = {}): Promise<Created> => {
    const query = `mutation ($parent: String!, $document: NewDocument!) {
      createDocument(parentPath: $parent, document: $document) { uid path }
    }`;
    const document = { type, name: title, properties: { 'dc:title': title, ...properties } };
    const data = await askGraphql<{ createDocument: Created }>(server.request, query, { parent, document });
    return data.createDocument;
  };
