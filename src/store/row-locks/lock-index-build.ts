import type { ConnectionApart } from '../../db/driver.ts';
import { statement } from '../../db/statement.ts';

const lockQuery = statement('lock-index-build')`SELECT FROM search_rebuild FOR UPDATE`;

/**
 * Within a transaction, keeps the build of the search index from being ended by another one.
 * @returns false when it was: changes are not noted any more.
 */
export const lockIndexBuild = async ({ query }: ConnectionApart): Promise<boolean> =>
  (await query(lockQuery, [])).length > 0;
