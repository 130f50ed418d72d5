import type { Client } from '../../db/database.ts';
import { type Statement, statement } from '../../db/statement.ts';
import { foldedId } from '../../model/names.ts';

/** Rows of one statement: a transaction holds their locks. */
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
    UPDATE "${kind}" a SET folded_id = given.folded_id FROM unnest($1::text[], $2::text[]) AS given (id, folded_id)
    WHERE a.id = given.id`,
});

const queries = [queriesOf('user'), queriesOf('group')];

/**
 * Gives users and groups their ids without case: those from before the column, of older builds, and of restored backups.
 * An index finds that there are none.
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
