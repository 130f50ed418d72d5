import { expect, test } from '@jest/globals';
import { stockedDatabase } from '../support/database.ts';

test('the migration adds the events of comments to the entries of eventTypes', async () => {
  await using stocked = await stockedDatabase();
  const { prisma, migrate } = stocked.database;
  await prisma.$executeRawUnsafe("DELETE FROM _prisma_migrations WHERE migration_name ~ '_comment_events$'");
  const events = {
    directory: 'eventTypes',
    id: { in: ['commentAdded', 'commentUpdated', 'commentRemoved'] },
  };
  const before = await prisma.directoryEntry.findMany({ where: events, orderBy: { id: 'asc' } });
  expect(before).toHaveLength(3);
  await prisma.directoryEntry.deleteMany({ where: events });
  expect(await migrate()).toEqual([expect.stringMatching(/_comment_events$/)]);
  expect(await prisma.directoryEntry.findMany({ where: events, orderBy: { id: 'asc' } })).toEqual(before);
});
