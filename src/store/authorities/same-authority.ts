import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
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

const others = {
  user: statement('user-of-name')`SELECT FROM "user" WHERE id = $1`,
  group: statement('group-of-name')`SELECT FROM "group" WHERE id = $1`,
} as const;

/**
 * ACEs and addresses name users and groups alike, so no user is called as a group is. The lock, until the transaction
 * ends, keeps others from creating both at the same time.
 * @throws Conflict when there is a user or a group of the other kind with the id.
 */
export async function requireNoOther(db: Client, other: AuthorityKind, id: string): Promise<void> {
  await lockNewAuthority(db, id);
  if ((await db.query(others[other], [id])).length > 0)
    throw new Conflict(`The ${other} ${id} exists: users and groups cannot have the same id.`);
}
