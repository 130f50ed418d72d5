import type { Client } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { foldedId } from '../../model/names.ts';

/** Maximum number of rows that one statement changes, and whose locks its transaction holds. */
const batchSize = 5_000;

const queriesOf = (
  kind: 'user' | 'group',
): {
  readonly find: Statement<{ id: string }>;
  readonly fill: Statement;
} => ({
  find: statement(`${kind}s-without-folded-id`, {
    id: 'text',
  })`SELECT id FROM "${kind}" WHERE folded_id IS NULL LIMIT $1::int`,
  fill: statement(`fill-folded-ids-of-${kind}s`)`
    UPDATE "${kind}" a SET folded_id = input.folded_id FROM unnest($1::text[], $2::text[]) AS input (id, folded_id)
    WHERE a.id = input.id`,
});

const queries = [queriesOf('user'), queriesOf('group')];

/**
 * Sets the folded ids of users and groups that do not have one: rows from before the column existed, from
 * older builds, and from restored backups. Without such rows, it costs one index lookup for each table.
 */
export async function fillFoldedIds({ query }: Pick<Client, 'query'>): Promise<void> {
  for (const { find, fill } of queries) {
    for (;;) {
      const ids = (await query(find, [batchSize])).map(({ id }) => id);
      if (ids.length === 0) break;
      await query(fill, [ids, ids.map(foldedId)]);
    }
  }
}
