import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';

const lockQuery = statement('lock-index-build')`SELECT FROM search_rebuild FOR UPDATE`;

/**
 * Locks the row of the current build of the search index, so that no other transaction can end the build.
 * @returns false if the build has ended, in which case changes are no longer recorded for it
 */
export const lockIndexBuild = async ({ query }: ConnectionApart): Promise<boolean> =>
  (await query(lockQuery, [])).length > 0;
