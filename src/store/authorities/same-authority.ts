import type { Client } from '../../db/database.ts';
import { Invalid } from '../../errors.ts';
import type { AuthorityKind } from '../../loaders/authorities/authorities.ts';
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
