import type { Client, Query } from '../../db/database.ts';
import { BadReference, Invalid, NotFound } from '../../errors.ts';
import { type AuthorityKind, type AuthorityRow, isPossible } from '../../loaders/authorities.ts';

/** How a row is held until the end of the transaction: against its going, against changes of it, against all. */
type Hold = 'KEY SHARE' | 'NO KEY UPDATE' | 'UPDATE';

// In one order, so that nobody who holds some of them waits for another who holds others.
const query = (kind: AuthorityKind, hold: Hold): Query => ({
  name: `hold-${kind}-${hold}`,
  text: `SELECT id, properties FROM "${kind}" WHERE id = ANY($1::text[]) ORDER BY id FOR ${hold}`,
});

const queriesOf = (kind: AuthorityKind): Record<Hold, Query> => ({
  'KEY SHARE': query(kind, 'KEY SHARE'),
  'NO KEY UPDATE': query(kind, 'NO KEY UPDATE'),
  UPDATE: query(kind, 'UPDATE'),
});

const queries = { user: queriesOf('user'), group: queriesOf('group') };

/** Reads the user or group that is addressed, and holds its row. @throws NotFound */
export async function hold(db: Client, kind: AuthorityKind, id: string, as: Hold): Promise<AuthorityRow> {
  const [row] = isPossible(id) ? await db.query<AuthorityRow>(queries[kind][as], [[id]]) : [];
  if (!row) throw new NotFound(`${kind} does not exist: ${id}`);
  return row;
}

/** Holds the users or groups that a body names, so that none of them goes. @throws BadReference */
export async function holdNamed(db: Client, kind: AuthorityKind, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await db.query<AuthorityRow>(queries[kind]['KEY SHARE'], [ids.filter(isPossible)]);
  const found = new Set(rows.map(({ id }) => id));
  const missing = ids.filter((id) => !found.has(id));
  if (missing.length > 0) throw new BadReference(`${kind} does not exist: ${missing.join(', ')}`);
}

/**
 * A body is of the user or group that the address names: one of the two is a mistake otherwise.
 * @throws Invalid when it names another one; BadReference when that one is missing (§7).
 */
export async function requireSame(
  db: Client,
  kind: AuthorityKind,
  { addressed, named }: { addressed: string; named: string | null | undefined },
): Promise<void> {
  if (typeof named !== 'string' || named === addressed) return;
  await holdNamed(db, kind, [named]);
  throw new Invalid(`id: the body is of ${named}, the addressed ${kind} is ${addressed}`);
}
