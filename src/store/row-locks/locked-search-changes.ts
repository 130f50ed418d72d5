/**
 * SQL: some changes of documents, which builds of the server without lanes then leave alone until the transaction ends.
 * @param ids the parameter with their numbers.
 */
export const lockedSearchChanges = (ids: string): string =>
  `SELECT repository, document_id FROM search_change WHERE id = ANY(${ids}::bigint[]) FOR UPDATE`;
