import type { Session } from '../db/database.ts';

const first = 1000;

/**
 * Renews what the database knows about its tables, whenever they have doubled. Plans made for a few rows, those
 * of the foreign keys above all, would else be kept for a million; the embedded database never looks by itself,
 * and a server does so once a minute.
 */
export function statisticsKeeper(database: Session): (created: number, isLast?: boolean) => Promise<void> {
  let due = first;
  let known = 0;
  return async (created, isLast = false) => {
    if (created === known || (created < due && !isLast)) return;
    due = Math.max(first, created * 2);
    known = created;
    await database.prisma.$executeRawUnsafe('ANALYZE document, document_blob');
  };
}
