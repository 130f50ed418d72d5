import { Invalid, PreconditionFailed } from '../../errors.ts';
import { changeToken, type DocumentRow } from '../../loaders/documents/document-row.ts';
import { commentedId } from '../../model/comments/comment-tree.ts';
import { type Permission, permissionsGranting } from '../../security/permissions.ts';

/** @throws Invalid on a version: versions do not change (§11). */
export function requireNotVersion({ id, isVersion }: Pick<DocumentRow, 'id' | 'isVersion'>): void {
  if (isVersion) throw new Invalid(`${id} is a version, and versions cannot be modified`);
}

/** Permissions for what a proxy allows apart from reading: only its location and its ACLs are its own. */
const proxyPermissions: readonly Permission[] = ['Remove', 'RemoveChildren', 'WriteSecurity'];

/**
 * Versions do not change, and a proxy presents its version (§11).
 * @throws Invalid when what a permission is for cannot be done with such a document.
 */
export function requireMutable(row: DocumentRow, needs: Permission): void {
  if (permissionsGranting(needs).has('Read')) return;
  requireNotVersion(row);
  if (needs === 'AddChildren' && commentedId(row) !== undefined)
    throw new Invalid(`${row.id} is a comment: only replies are put below it, by @comment`);
  if (row.isProxy && !proxyPermissions.includes(needs)) {
    throw new Invalid(`${row.id} is a proxy, and shows a version that cannot be modified`);
  }
}

/** Whether the document had the token since its last change by a user; later ones are the server's. */
function hadToken({ systemToken, userToken }: DocumentRow, token: string): boolean {
  const [, system, user] = /^(\d{1,9})-(\d{1,9})(\/|$)/.exec(token) ?? []; // a proxy's is followed by that of its version
  return user === String(userToken) && Number(system) <= systemToken;
}

/** The change tokens that the conditional headers of a write name (RFC 9110, section 13.1). */
export interface Preconditions {
  /** One of them must be the document's. */
  readonly ifMatch?: readonly string[] | null | undefined;
  /** None of them may be the document's; `*` stands for every state of a document that exists. */
  readonly ifNoneMatch?: readonly string[] | null | undefined;
}

/** @throws PreconditionFailed when the document, as users left it, is in a state that the conditions exclude. */
export function requirePreconditions(row: DocumentRow, { ifMatch, ifNoneMatch }: Preconditions): void {
  if (ifMatch && !ifMatch.some((token) => hadToken(row, token)))
    throw new PreconditionFailed(
      `If-Match: ${row.path} is at ${changeToken(row)}, not at ${ifMatch.join(' or ')}.`,
    );
  if (ifNoneMatch?.includes('*')) throw new PreconditionFailed(`If-None-Match: ${row.path} exists.`);
  if (ifNoneMatch?.some((token) => hadToken(row, token)))
    throw new PreconditionFailed(`If-None-Match: ${row.path} is at ${changeToken(row)}.`);
}
