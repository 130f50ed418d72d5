/**
 * SQL that locks noted changes of documents. Servers of a build without lanes then skip these until the
 * transaction ends.
 * @param ids the SQL parameter with the numbers of the changes.
 */
export const lockedSearchChanges = (ids: string): string =>
  `SELECT repository, document_id FROM search_change WHERE id = ANY(${ids}::bigint[]) FOR UPDATE`;
