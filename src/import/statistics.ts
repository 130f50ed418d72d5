import type { Session } from '../db/database.ts';
import { analyzeDocuments } from '../store/documents/inserts/insert-documents.ts';

/** The number of documents after which planner statistics are first updated. */
const first = 1000;

/**
 * Returns a function that updates the planner statistics whenever the number of created documents has doubled.
 * Otherwise, PostgreSQL would plan the statements of a long import as if the tables were nearly empty.
 */
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
