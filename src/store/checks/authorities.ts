import { statement } from '../../db/statement.ts';
import { fillFoldedIds } from '../authorities/folded-ids.ts';
import type { Check } from './check.ts';

const maxDetails = 100;

// Sets of ids that agree without case, and how many there are.
const clashesQuery = statement('check-authorities', { names: 'text', total: 'int4' })`
  SELECT string_agg(a.kind || ' ' || a.id, ', ' ORDER BY a.kind, a.id) AS names, (count(*) OVER ())::int AS total
  FROM (SELECT 'user' AS kind, id, folded_id FROM "user" UNION ALL SELECT 'group', id, folded_id FROM "group") a
  GROUP BY a.folded_id HAVING count(*) > 1 ORDER BY a.folded_id LIMIT ${maxDetails}`;

/** §4.3: ids of users and groups that differ only by case. They are from before such ids were refused, and no faults. */
export const authoritiesCheck: Check = {
  name: 'authorities',
  run: async ({ database }) => {
    await fillFoldedIds(database);
    const found = await database.query(clashesQuery, []);
    const clashes = found[0]?.total ?? 0;
    return {
      text: `${clashes} ids of users and groups clash with others that differ at most by case. They keep working.`,
      counts: { clashes },
      details: found.map(({ names }) => ({ kind: 'same-id', message: names })),
    };
  },
};
