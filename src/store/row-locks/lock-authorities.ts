import type { Client } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { BadReference, joinFew, NotFound } from '../../errors.ts';
import {
  type AuthorityKind,
  type AuthorityRow,
  authorityRow,
} from '../../loaders/authorities/authorities.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { inIdOrder, type LockMode } from './lock-order.ts';

// KEY SHARE prevents deletion; NO KEY UPDATE is taken for a change, and UPDATE for a deletion.
type AuthorityLockMode = Exclude<LockMode, 'SHARE'>;

const query = (kind: AuthorityKind, mode: AuthorityLockMode): Statement<AuthorityRow> => statement(
  `lock-${kind}-${mode}`,
  authorityRow,
)`
  SELECT id, properties FROM "${kind}" WHERE id = ANY($1::text[]) ${inIdOrder(mode)}`;

/**
 * Locks and reads a user or group.
 * @throws NotFound
 */
export async function lockAuthority(
  db: Client,
  kind: AuthorityKind,
  id: string,
  mode: AuthorityLockMode,
): Promise<AuthorityRow> {
  const [row] = isStorableText(id) ? await db.query(query(kind, mode), [[id]]) : [];
  if (!row) throw new NotFound(`${kind} does not exist: ${id}`);
  return row;
}

/**
 * Locks the users or groups that a change refers to.
 * @throws BadReference if one of them does not exist
 */
export async function lockReferencedAuthorities(
  db: Client,
  kind: AuthorityKind,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db.query(query(kind, 'KEY SHARE'), [ids.filter(isStorableText)]);
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw new BadReference(`${kind} does not exist: ${joinFew(missing, ', ')}`);
}
