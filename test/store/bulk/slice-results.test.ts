import { expect, test } from '@jest/globals';
import { settleSlice, sliceSize } from '../../../src/store/bulk/slice-results.ts';
import { useServer } from '../../support/server.ts';

const server = useServer();
const command = '77777777-7777-4777-8777-777777777777';
const items = 20_000;

const plain = (text: string) => ({ name: '', text });

test('§11 storing the results of a slice does not read the remaining documents', async () => {
  const { prisma, query, transaction } = server.database;
  await prisma.bulkCommand.create({
    data: {
      id: command,
      repository: 'default',
      username: 'Administrator',
      action: 'setProperties',
      parameters: {},
      query: {},
      state: 'ABORTED',
      total: items,
    },
  });
  await query(
    plain(`INSERT INTO bulk_item (command_id, depth, document_id)
      SELECT '${command}', 3 + n / ${items / 2}, md5(n::text)::uuid FROM generate_series(0, ${items - 1}) n`),
    [],
  );
  await query(plain('ANALYZE bulk_item'), []);
  const ids = (
    await query<{ id: string }>(
      plain(`SELECT document_id AS id FROM bulk_item WHERE command_id = '${command}'
        ORDER BY depth, document_id LIMIT ${sliceSize}`),
      [],
    )
  ).map(({ id }) => id);
  const [failed = '', ...done] = ids;
  const read = await transaction(30, async (db) => {
    const results = { done, failed: [[failed, 'it is locked']] as const, skipped: 0 };
    await settleSlice(db, command, results, { began: performance.now(), isLast: false });
    const [counted] = await db.query<{ rows: number }>(
      plain(`SELECT (coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int AS rows
        FROM pg_stat_xact_user_tables WHERE relname = 'bulk_item'`),
      [],
    );
    return counted?.rows;
  });
  expect(read).toBeGreaterThanOrEqual(sliceSize);
  expect(read).toBeLessThan(5 * sliceSize);
  const left = await prisma.bulkItem.count({ where: { commandId: command, error: null } });
  expect(left).toBe(items - sliceSize);
  const refused = await prisma.bulkItem.findMany({ where: { commandId: command, NOT: { error: null } } });
  expect(refused).toMatchObject([{ documentId: failed, error: 'it is locked' }]);
  const noted = await prisma.bulkCommand.findUnique({ where: { id: command } });
  expect(noted).toMatchObject({ processed: sliceSize, failed: 1 });
});
