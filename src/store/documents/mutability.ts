import { Invalid, PreconditionFailed } from '../../errors.ts';
import { changeToken, type DocumentRow } from '../../loaders/documents/document-row.ts';
import { commentedId } from '../../model/comments/comment-tree.ts';
import { type Permission, permissionsGranting } from '../../security/permissions.ts';

/**
 * Checks that the document is not a version, because versions cannot be changed (§11).
 * @throws Invalid for a version
 */
export function requireNotVersion({ id, isVersion }: Pick<DocumentRow, 'id' | 'isVersion'>): void {
  if (isVersion) throw new Invalid(`${id} is a version, and versions cannot be modified.`);
}

/**
 * The permissions for the changes that a proxy allows. Only its location and its ACLs belong to the proxy itself.
 */
const proxyPermissions: readonly Permission[] = ['Remove', 'RemoveChildren', 'WriteSecurity'];

/**
 * Checks that a document allows the kind of change for which a permission is needed. Versions cannot be changed, and a
 * proxy only shows a version (§11).
 * @throws Invalid
 */
export function requireMutable(row: DocumentRow, needs: Permission): void {
  if (permissionsGranting(needs).has('Read')) return;
  requireNotVersion(row);
  if (needs === 'AddChildren' && commentedId(row) !== undefined)
    throw new Invalid(`${row.id} is a comment. Only replies can be created below it, through @comment.`);
  if (row.isProxy && !proxyPermissions.includes(needs)) {
    throw new Invalid(`${row.id} is a proxy of a version, and versions cannot be modified.`);
  }
}

/**
 * Whether the document has had the change token at any time since the last change by a user; changes by the server do
 * not count.
 */
function hadToken({ systemToken, userToken }: DocumentRow, token: string): boolean {
  // The token of a proxy is followed by the token of its version.
  const [, system, user] = /^(\d{1,9})-(\d{1,9})(\/|$)/.exec(token) ?? [];
  return user === String(userToken) && Number(system) <= systemToken;
}

/** The change tokens in the conditional headers of a write (RFC 9110, section 13.1). */
export interface Preconditions {
  /** The document must have one of these tokens. */
  readonly ifMatch?: readonly string[] | null | undefined;
  /** The document must have none of these tokens; `*` stands for any token of an existing document. */
  readonly ifNoneMatch?: readonly string[] | null | undefined;
}

/** @throws PreconditionFailed if the conditions do not match the document's state; changes by the server are ignored */
export function requirePreconditions(row: DocumentRow, { ifMatch, ifNoneMatch }: Preconditions): void {
  if (ifMatch && !ifMatch.some((token) => hadToken(row, token)))
    throw new PreconditionFailed(
      `If-Match: ${row.path} has the change token ${changeToken(row)}, not ${ifMatch.join(' or ')}.`,
    );
  if (ifNoneMatch?.includes('*')) throw new PreconditionFailed(`If-None-Match: ${row.path} exists.`);
  if (ifNoneMatch?.some((token) => hadToken(row, token)))
    throw new PreconditionFailed(`If-None-Match: ${row.path} has the change token ${changeToken(row)}.`);
}
