import type DataLoader from 'dataloader';
import { typed } from '../../db/columns.ts';
import { type RowOf, statement } from '../../db/statement.ts';
import type { Scope } from '../../scope.ts';
import { inheritedAclName, inheritedEntries, type NamedAcl } from '../../security/acl.ts';
import { batchLoader, quickForFewKeys } from '../batch.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { Access } from './access.ts';

const query = quickForFewKeys(statement('own-acls', {
  id: 'uuid',
  acls: typed<readonly NamedAcl[]>('jsonb'),
})`
  SELECT document_id AS id, acls FROM document_acl WHERE repository = $1 AND document_id = ANY($2::uuid[])`);

/** Returns a loader for documents' own ACLs, by document id. The caller must have checked ReadSecurity. */
export const aclsByDocument = ({
  db,
  options,
}: Scope): DataLoader<string, RowOf<ReturnType<typeof query>> | null> =>
  batchLoader(
    (ids) => db.query(query(ids), [options.repository, ids]),
    ({ id }) => id,
  );

/** A document's own ACLs, followed by the inherited ACL if there is one. The caller must have checked ReadSecurity. */
export async function aclsWithInherited(
  { acls, access }: { acls: ReturnType<typeof aclsByDocument>; access: Access },
  { id, aclId }: Pick<DocumentRow, 'id' | 'aclId'>,
): Promise<NamedAcl[]> {
  const [found, entries] = await Promise.all([acls.load(id), access.entries(aclId)]);
  const own = found?.acls ?? [];
  const aces = inheritedEntries(own, entries);
  return aces.length > 0 ? [...own, { name: inheritedAclName, aces }] : [...own];
}
