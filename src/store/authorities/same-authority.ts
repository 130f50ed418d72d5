import { typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
import { foldedId } from '../../model/names.ts';
import { lockNewAuthority } from '../row-locks/advisory-locks.ts';
import { lockReferencedAuthorities } from '../row-locks/lock-authorities.ts';

/**
 * Checks that a request body describes the user or group in the URL.
 * @throws Invalid if the body names a different user or group; BadReference if that one does not exist (§7)
 */
export async function requireSameAuthority(
  db: Client,
  kind: AuthorityKind,
  { addressed, named }: { addressed: string; named: string | undefined },
): Promise<void> {
  if (named === undefined || named === addressed) return;
  await lockReferencedAuthorities(db, kind, [named]);
  throw new Invalid(`id: The body has the id ${named}, but the URL refers to the ${kind} ${addressed}.`);
}

// The ids are compared as well, because a row added by an older build does not get its folded id until the next start.
const sameQuery = statement('authorities-of-name', { kind: typed<AuthorityKind>('text'), id: 'text' })`
  (SELECT 'user' AS kind, id FROM "user" WHERE folded_id = $2 OR id = $1 LIMIT 1)
  UNION ALL
  (SELECT 'group', id FROM "group" WHERE folded_id = $2 OR id = $1 LIMIT 1)`;

/**
 * Reserves the id of a new user or group. ACEs and URLs do not distinguish users from groups, and people do not
 * distinguish ids that differ only in case. Until the transaction ends, a lock keeps other transactions from using the
 * same id or one that differs only in case.
 * @returns the id and its folded form, to be stored in the row
 * @throws Conflict if a user or group has the same id, or one that differs only in case
 */
export async function claimId(
  db: Client,
  kind: AuthorityKind,
  id: string,
): Promise<{ readonly id: string; readonly foldedId: string }> {
  const folded = foldedId(id);
  await lockNewAuthority(db, folded);
  const [same] = await db.query(sameQuery, [id, folded]);
  if (!same) return { id, foldedId: folded };
  if (same.kind === kind && same.id === id)
    throw new Conflict(kind === 'user' ? `user already exists: ${id}` : `Group already exists: ${id}`);
  throw new Conflict(
    `The ${same.kind} ${same.id} exists. Users and groups cannot have the same id, or ids that differ only in case.`,
  );
}
