import type DataLoader from 'dataloader';
import { quickForFew } from '../db/quick.ts';
import type { Scope } from '../scope.ts';
import { type Acl, inherited, inheritedEntries } from '../security/acl.ts';
import type { Access } from './access.ts';
import { byKey } from './batch.ts';
import type { DocumentRow } from './document-row.ts';

/** The ACLs that a document has itself, in the order in which they count. */
interface OwnAcls {
  readonly id: string;
  readonly acls: readonly Acl[];
}

const query = quickForFew({
  name: 'own-acls',
  text: 'SELECT document_id AS id, acls FROM document_acl WHERE repository = $1 AND document_id = ANY($2::uuid[])',
});

/** The ACLs of documents by the documents' ids; whoever asks has seen to it that they may be read. */
export const aclsByDocument = ({ db, options }: Scope): DataLoader<string, OwnAcls | null> =>
  byKey(
    (ids) => db.query<OwnAcls>(query(ids), [options.repository, ids]),
    ({ id }) => id,
  );

/** The ACLs of a document, then what it has from its ancestors; whoever asks has seen to it that they may be read. */
export async function aclsOf(
  { acls, access }: { acls: ReturnType<typeof aclsByDocument>; access: Access },
  { id, aclId }: Pick<DocumentRow, 'id' | 'aclId'>,
): Promise<Acl[]> {
  const [found, entries] = await Promise.all([acls.load(id), access.entries(aclId)]);
  const own = found?.acls ?? [];
  const aces = inheritedEntries(own, entries);
  return aces.length > 0 ? [...own, { name: inherited, aces }] : [...own];
}
