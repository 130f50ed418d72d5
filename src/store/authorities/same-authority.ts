import { typed } from '../../db/columns.ts';
import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
import { foldedId } from '../../model/names.ts';
import { lockNewAuthority } from '../row-locks/advisory-locks.ts';
import { lockReferencedAuthorities } from '../row-locks/lock-authorities.ts';

/**
 * The body of a change must be of the user or group that the address names.
 * @throws Invalid when it names another one; BadReference when that one does not exist (§7)
 */
export async function requireSameAuthority(
  db: Client,
  kind: AuthorityKind,
  { addressed, named }: { addressed: string; named: string | undefined },
): Promise<void> {
  if (named === undefined || named === addressed) return;
  await lockReferencedAuthorities(db, kind, [named]);
  throw new Invalid(`id: the body is of ${named}, the addressed ${kind} is ${addressed}`);
}

// A row that an older build has added has no folded id until the next start.
const sameQuery = statement('authorities-of-name', { kind: typed<AuthorityKind>('text'), id: 'text' })`
  (SELECT 'user' AS kind, id FROM "user" WHERE folded_id = $2 OR id = $1 LIMIT 1)
  UNION ALL
  (SELECT 'group', id FROM "group" WHERE folded_id = $2 OR id = $1 LIMIT 1)`;

/**
 * ACEs and addresses name users and groups alike, and people take two ids that differ by case for one. The lock, until the
 * transaction ends, keeps others from creating such an id at the same time.
 * @returns the id and its folded form, for the row.
 * @throws Conflict when there is a user or a group with the id, or with one that differs only by case.
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
    `The ${same.kind} ${same.id} exists: users and groups cannot have the same id, or ids that differ only by case.`,
  );
}
