import { expect } from '@jest/globals';
import { createDocument, type DocumentEntity, readDocument } from '../../support/documents.ts';
import { call, calling } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';

export const uidsOf = ({ entries }: { entries: DocumentEntity[] }): string[] => entries.map(({ uid }) => uid);

/** Helpers for tests of collections, on the server of their file. */
export function collecting(server: TestServer) {
  const run = calling(server);
  const read = (uid: string, who = server.request) => readDocument(who, uid);

  const some = (count: number) => Promise.all(Array.from({ length: count }, () => createDocument(server)));

  let count = 0;
  /** An empty collection among the workspaces. */
  async function collection(): Promise<DocumentEntity> {
    count += 1;
    return createDocument(server, { type: 'Collection', name: `collection ${count}` });
  }

  const add = (input: unknown, { uid }: DocumentEntity, who = server.request) =>
    call(who, 'Document.AddToCollection', { input, params: { collection: uid } });

  /** The members of a collection that a user sees. */
  async function membersOf({ uid }: DocumentEntity, who = server.request): Promise<string[]> {
    const { body } = await call(who, 'Collection.GetDocumentsFromCollection', { input: uid }).expect(200);
    expect(body.resultsCount).toBe(body.entries.length);
    return uidsOf(body);
  }

  return { run, read, some, collection, add, membersOf };
}
