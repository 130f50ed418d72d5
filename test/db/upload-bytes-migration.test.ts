import { randomUUID } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { stockedDatabase } from '../support/database.ts';

const undo = [
  'ALTER TABLE upload_batch DROP COLUMN bytes',
  "DELETE FROM _prisma_migrations WHERE migration_name ~ '_upload_bytes$'",
];

test('the migration counts the bytes of batches that are open', async () => {
  await using stocked = await stockedDatabase();
  const { prisma, migrate } = stocked.database;
  for (const statement of undo) await prisma.$executeRawUnsafe(statement);
  const [full, empty] = [randomUUID(), randomUUID()];
  const made = [
    `INSERT INTO upload_batch (id, user_id) VALUES ('${full}', 'Administrator'), ('${empty}', 'Administrator')`,
    `INSERT INTO upload_file (batch_id, index, name, mime_type, size, chunk_count)
     VALUES ('${full}', 0, '', '', 5, NULL), ('${full}', 1, '', '', 1000, 3), ('${full}', 2, '', '', 70, 2)`,
    `INSERT INTO upload_chunk (batch_id, file_index, index, digest, length)
     VALUES ('${full}', 1, 0, '', 20), ('${full}', 1, 2, '', 300)`,
  ];
  for (const statement of made) await prisma.$executeRawUnsafe(statement);
  expect(await migrate()).toEqual([expect.stringMatching(/_upload_bytes$/)]);
  const batches = await prisma.uploadBatch.findMany({ select: { id: true, bytes: true } });
  expect(new Map(batches.map(({ id, bytes }) => [id, bytes]))).toEqual(
    new Map([
      [full, 325n],
      [empty, 0n],
    ]),
  );
});
