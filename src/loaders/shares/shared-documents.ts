import { ascending } from '../../query/order-sql.ts';
import type { Scope } from '../../scope.ts';
import { everyone } from '../../security/acl.ts';
import { aceUsernames } from '../../security/evaluate.ts';
import type { Access } from '../acls/access.ts';
import type { DocumentRow } from '../documents/document-row.ts';
import type { ListPageArguments } from '../lists/list-definition.ts';
import { defineList } from '../lists/list-loader.ts';
import type { PageResult } from '../lists/page-loader.ts';

const list = defineList<{ named: string }, DocumentRow>({
  name: 'shared-documents',
  from: 'document_acl a JOIN document d ON d.repository = a.repository AND d.id = a.document_id',
  where: 'a.repository = $1 AND NOT d.is_trashed AND NOT d.is_version',
  order: [ascending('d.title', 'text')],
  tieBreak: ascending('d.id', 'uuid'),
  filters: { named: (path) => `a.acls @? ${path}::jsonpath` },
  hasReadableOnly: true,
});

/** A JSON path that matches ACLs with an ACE for one of the names. PostgreSQL finds such ACLs through an index. */
const pathOf = (names: readonly string[]): string =>
  `$[*].aces[*] ? (${names.map((name) => `@.username == ${JSON.stringify(name)}`).join(' || ')})`;

/**
 * Reads pages of the documents that are shared with the caller: those that the caller can read and whose own ACLs name
 * the caller or one of the caller's groups. Their descendants are not listed.
 */
export function sharedDocuments(
  scope: Scope,
  access: Access,
): (page: ListPageArguments) => Promise<PageResult<DocumentRow>> {
  const load = list(scope, access);
  const named = pathOf(aceUsernames(scope.user).filter((name) => name !== everyone));
  return (page) => load({ named }, page);
}
