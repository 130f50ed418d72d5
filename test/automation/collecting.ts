import { expect } from '@jest/globals';
import { createDocument, type DocumentEntity } from '../support/factories.ts';
import type { TestServer } from '../support/server.ts';
import { call } from './calls.ts';

export const uidsOf = ({ entries }: { entries: DocumentEntity[] }): string[] => entries.map(({ uid }) => uid);

/** What tests of collections do over and over, on the server of their file. */
export function collecting(serverOf: () => TestServer) {
  const run = (id: string, input: unknown, params: Record<string, unknown> = {}) =>
    call(serverOf().request, id, { input, params });
  const read = async (uid: string, who = serverOf().request): Promise<DocumentEntity> =>
    (await who.get(`/api/v1/id/${uid}`).expect(200)).body;

  const some = (count: number) =>
    Promise.all(Array.from({ length: count }, () => createDocument(serverOf())));

  let count = 0;
  /** An empty collection among the workspaces. */
  async function collection(): Promise<DocumentEntity> {
    count += 1;
    return createDocument(serverOf(), { type: 'Collection', name: `collection ${count}` });
  }

  const add = (input: unknown, { uid }: DocumentEntity, who = serverOf().request) =>
    call(who, 'Document.AddToCollection', { input, params: { collection: uid } });

  /** The members of a collection, as somebody sees them. */
  async function membersOf({ uid }: DocumentEntity, who = serverOf().request): Promise<string[]> {
    const { body } = await call(who, 'Collection.GetDocumentsFromCollection', { input: uid }).expect(200);
    expect(body.resultsCount).toBe(body.entries.length);
    return uidsOf(body);
  }

  return { run, read, some, collection, add, membersOf };
}
