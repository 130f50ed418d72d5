import type { Scope } from '../../scope.ts';

/** Counts log entries by event id, without checking permissions. */
export const eventCounts =
  ({ db, options }: Scope) =>
  async (ids: readonly string[]): Promise<ReadonlyMap<string, number>> => {
    const where = { repository: { in: [options.repository, ''] }, eventId: { in: [...ids] } };
    const counts = await db.prisma.logEntry.groupBy({ by: 'eventId', where, _count: true });
    return new Map(counts.map(({ eventId, _count: count }) => [eventId, count]));
  };
