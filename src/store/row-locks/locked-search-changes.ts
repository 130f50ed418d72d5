/**
 * SQL that locks recorded changes to documents. Servers of an older release, which index small and large documents
 * together, then skip these changes until the transaction ends.
 * @param ids the SQL parameter with the ids of the changes
 */
export const lockedSearchChanges = (ids: string): string =>
  `SELECT repository, document_id FROM search_change WHERE id = ANY(${ids}::bigint[]) FOR UPDATE`;
