import { createDocument, readDocument } from '../../support/documents.ts';
import { calling } from '../../support/requests.ts';
import type { TestServer } from '../../support/server.ts';

/** What the tests of tags do with the documents of a server. */
export function tagging(server: TestServer) {
  const run = calling(server);
  const tag = (input: unknown, tags: unknown) => run('Services.TagDocument', input, { tags });
  const read = (uid: string, who = server.request) => readDocument(who, uid);

  /** Label and user of each tag. */
  const tagsOf = async (uid: string): Promise<string[]> =>
    ((await read(uid)).properties['nxtag:tags'] as Array<{ label: string; username: string }>).map(
      ({ label, username }) => `${label} by ${username}`,
    );

  /** The labels of a document in the table that searches use. */
  const found = async (documentId: string): Promise<string[]> => {
    const where = { documentId };
    return (await server.database.prisma.documentTag.findMany({ where, orderBy: { label: 'asc' } })).map(
      ({ label }) => label,
    );
  };

  const some = (count: number) => Promise.all(Array.from({ length: count }, () => createDocument(server)));

  return { run, tag, read, tagsOf, found, some };
}
