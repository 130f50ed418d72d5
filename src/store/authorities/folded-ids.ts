import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import { foldedId } from '../../model/names.ts';

/** The maximum number of rows that one statement changes, and that its transaction therefore locks. */
const batchSize = 5_000;

const fillOf = (kind: 'user' | 'group') => statement(`fill-folded-ids-of-${kind}s`)`
  UPDATE "${kind}" a SET folded_id = input.folded_id FROM unnest($1::text[], $2::text[]) AS input (id, folded_id)
  WHERE a.id = input.id`;

const [fillUsers, fillGroups] = [fillOf('user'), fillOf('group')];

const unfilled = { where: { foldedId: null }, select: { id: true }, take: batchSize } as const;

/**
 * Sets the folded ids of users and groups that do not have one: rows that were created before the column existed or by
 * older builds, or that come from restored backups. If there are no such rows, this costs one index lookup per table.
 */
export async function fillFoldedIds({ prisma, query }: Pick<Client, 'prisma' | 'query'>): Promise<void> {
  const kinds = [
    { find: () => prisma.user.findMany(unfilled), fill: fillUsers },
    { find: () => prisma.group.findMany(unfilled), fill: fillGroups },
  ];
  for (const { find, fill } of kinds) {
    for (;;) {
      const ids = (await find()).map(({ id }) => id);
      if (ids.length === 0) break;
      await query(fill, [ids, ids.map(foldedId)]);
    }
  }
}
