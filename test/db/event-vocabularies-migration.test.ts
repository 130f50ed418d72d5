import { expect, test } from '@jest/globals';
import { stockedDatabase } from '../support/database.ts';

test('the migration has the next start create stock entries, but not beside entries of the server', async () => {
  await using stocked = await stockedDatabase();
  const { prisma, migrate } = stocked.database;
  await prisma.$executeRawUnsafe(
    "DELETE FROM _prisma_migrations WHERE migration_name ~ '_event_vocabularies$'",
  );
  await prisma.directoryEntry.deleteMany({ where: { directory: 'eventTypes' } });
  expect(await migrate()).toEqual([expect.stringMatching(/_event_vocabularies$/)]);
  const names = (await prisma.directory.findMany()).map(({ name }) => name);
  expect(names).not.toContain('eventTypes');
  expect(names).toContain('eventCategories');
});
