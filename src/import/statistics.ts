import type { Session } from '../db/database.ts';
import { analyzeDocuments } from '../store/documents/inserts/insert-documents.ts';

/** Documents after which the statistics are renewed first. */
const first = 1000;

/** Renews the statistics of the database whenever the documents created have doubled. */
export function statisticsKeeper(database: Session): (created: number, isLast?: boolean) => Promise<void> {
  let due = first;
  let known = 0;
  return async (created, isLast = false) => {
    if (created === known || (created < due && !isLast)) return;
    due = Math.max(first, created * 2);
    known = created;
    await analyzeDocuments(database);
  };
}
