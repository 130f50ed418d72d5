import { statement } from '../../db/statement.ts';
import { Invalid } from '../../errors.ts';
import type { Scope } from '../../scope.ts';

/** The maximum number of entries that are remembered one by one. All entries below them count as read. */
const maxMarks = 500;

/** The maximum number of entries that one call can mark as read. */
const maxIds = 1_000;

// The values are computed from the row that is updated, so two calls at the same time both have an effect.
const marks = 'unnest(u.read_entries || $2::bigint[]) AS m (id)';
const mark = statement('mark-inbox-read')`
  UPDATE "user" u SET
    read_entries = ARRAY(SELECT DISTINCT m.id FROM ${marks} WHERE m.id > u.read_until ORDER BY m.id DESC LIMIT ${maxMarks}),
    read_until = greatest(u.read_until, (SELECT DISTINCT m.id FROM ${marks} ORDER BY m.id DESC OFFSET ${maxMarks} LIMIT 1))
  WHERE u.id = $1`;

/**
 * Marks entries of the caller's inbox as read.
 * @param ids the ids of log entries; ids of other entries have no effect
 * @throws Invalid
 */
export async function markInboxRead({ db, user }: Scope, ids: readonly number[]): Promise<void> {
  const wrong = ids.find((id) => !Number.isSafeInteger(id) || id < 0);
  if (wrong !== undefined) throw new Invalid(`entries must be ids of log entries; got ${wrong}.`);
  if (ids.length > maxIds)
    throw new Invalid(`entries must contain at most ${maxIds} ids; got ${ids.length}.`);
  await db.query(mark, [user.id, ids.map(String)]);
}
