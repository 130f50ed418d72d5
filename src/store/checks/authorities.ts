import { statement } from '../../db/statement.ts';
import { fillFoldedIds } from '../authorities/folded-ids.ts';
import type { Check } from './check.ts';

const maxDetails = 100;

// Selects groups of ids that differ only in case, and the number of such groups.
const clashesQuery = statement('check-authorities', { names: 'text', total: 'int4' })`
  SELECT string_agg(a.kind || ' ' || a.id, ', ' ORDER BY a.kind, a.id) AS names, (count(*) OVER ())::int AS total
  FROM (SELECT 'user' AS kind, id, folded_id FROM "user" UNION ALL SELECT 'group', id, folded_id FROM "group") a
  GROUP BY a.folded_id HAVING count(*) > 1 ORDER BY a.folded_id LIMIT ${maxDetails}`;

/**
 * Lists ids of users and groups that differ only in case (§4.3). They were created before such ids were rejected, and
 * do not count as faults.
 */
export const authoritiesCheck: Check = {
  name: 'authorities',
  run: async ({ database }) => {
    await fillFoldedIds(database);
    const found = await database.query(clashesQuery, []);
    const clashes = found[0]?.total ?? 0;
    return {
      text: `${clashes} sets of user and group ids are equal or differ only in case. They continue to work.`,
      counts: { clashes },
      details: found.map(({ names }) => ({ kind: 'same-id', message: names })),
    };
  },
};
