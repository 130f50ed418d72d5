import type { Ace, NamedAcl } from '../../../src/security/acl.ts';
import { entriesId } from '../../../src/security/acl.ts';
import type { TestServer } from '../../support/server.ts';

const isBlock = (ace: Ace): boolean =>
  ace.username === 'Everyone' && ace.permission === 'Everything' && !ace.granted && !ace.begin && !ace.end;

/** The ACEs up to and including the first block. */
function untilBlock(aces: readonly Ace[]): readonly Ace[] {
  const at = aces.findIndex(isBlock);
  return at < 0 ? aces : aces.slice(0, at + 1);
}

function asRead(ace: Ace): readonly Ace[] {
  if (!['ReadVersion', 'Version'].includes(ace.permission)) return [ace];
  const read = { ...ace, permission: 'Read' };
  return ace.granted ? [{ ...read, permission: 'ReadSecurity', granted: false }, read] : [read];
}

/**
 * Computes the effective ACL of every document from the ACLs of the documents alone. Names the documents that refer
 * to another one, and the effective ACLs whose id is not the hash of their ACEs.
 */
export async function wrongAcls({ database: { prisma } }: Pick<TestServer, 'database'>): Promise<string[]> {
  const [documents, holders, effective] = await Promise.all([
    prisma.document.findMany({
      select: {
        repository: true,
        id: true,
        path: true,
        parentId: true,
        aclId: true,
        isVersion: true,
        liveId: true,
      },
    }),
    prisma.documentAcl.findMany(),
    prisma.effectiveAcl.findMany(),
  ]);
  const key = (repository: string, id: string) => `${repository}/${id}`;
  const byKey = new Map(documents.map((document) => [key(document.repository, document.id), document]));
  const own = new Map(
    holders.map(({ repository, documentId, acls }) => [
      key(repository, documentId),
      acls as unknown as NamedAcl[],
    ]),
  );
  const known = new Map<string, readonly Ace[]>();
  const entriesOf = (repository: string, id: string | null): readonly Ace[] => {
    if (id === null) return [];
    const at = key(repository, id);
    const found = known.get(at);
    if (found) return found;
    const aces = (own.get(at) ?? []).flatMap((acl) => acl.aces);
    const document = byKey.get(at);
    const above = (document?.isVersion ? document.liveId : document?.parentId) ?? null;
    const isBelowVersion = !document?.isVersion && byKey.get(key(repository, above ?? ''))?.isVersion;
    const inherited = entriesOf(repository, above);
    const all = untilBlock([...aces, ...(isBelowVersion ? inherited.flatMap(asRead) : inherited)]);
    known.set(at, all);
    return all;
  };

  const stored = new Set(effective.map(({ repository, id }) => key(repository, id)));
  const wrong = documents
    .filter(({ repository, id, aclId }) => {
      const expected = entriesId(entriesOf(repository, id));
      return aclId !== expected || !stored.has(key(repository, aclId));
    })
    .map(({ repository, path, aclId }) => `${repository}:${path} points to ${aclId}`);
  const misnamed = effective
    .filter(({ id, entries }) => entriesId(entries as unknown as Ace[]) !== id)
    .map(({ id }) => `the effective ACL ${id} is not what it is called`);
  return [...wrong, ...misnamed];
}
