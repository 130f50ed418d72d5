import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/db/database.ts';
import { emptyDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = (await emptyDatabase()).database;
});
afterAll(() => database.close());

/** Leaves the tables as they were before the migration. */
const undo = [
  'DROP TABLE execution_file, execution',
  'ALTER TABLE kept_answer ADD COLUMN operation TEXT',
  'CREATE INDEX kept_answer_execution_idx ON kept_answer (user_id, key) WHERE operation IS NOT NULL',
  "DELETE FROM _prisma_migrations WHERE migration_name ~ '_execution_table$|_execution_jobs$|_execution_commands$'",
];

const rows = `
  INSERT INTO kept_answer (repository, user_id, key, request, operation, answer, created_at) VALUES
    ('default', 'ann', 'running', '', 'Log', NULL, '2026-01-02'),
    ('other', 'ben', 'done', '', 'User.Get', 'sealed', '2026-01-03'),
    ('default', 'ann', 'a key', 'derived', NULL, 'sealed', '2026-01-04')`;

test('the migration moves executions to their own table and leaves the other kept answers', async () => {
  await database.migrate();
  for (const id of ['ann', 'ben']) await database.prisma.user.create({ data: { id } });
  for (const statement of [...undo, rows]) await database.prisma.$executeRawUnsafe(statement);
  expect(await database.migrate()).toEqual([
    expect.stringMatching(/_execution_table$/),
    expect.stringMatching(/_execution_jobs$/),
    expect.stringMatching(/_execution_commands$/),
  ]);
  expect(await database.prisma.execution.findMany({ orderBy: { renewedAt: 'asc' } })).toEqual([
    {
      repository: 'default',
      id: 'running',
      request: null,
      userId: 'ann',
      operation: 'Log',
      answer: null,
      commandId: null,
      renewedAt: new Date('2026-01-02'),
    },
    {
      repository: 'other',
      id: 'done',
      request: null,
      userId: 'ben',
      operation: 'User.Get',
      answer: 'sealed',
      commandId: null,
      renewedAt: new Date('2026-01-03'),
    },
  ]);
  expect(await database.prisma.keptAnswer.findMany()).toMatchObject([{ key: 'a key', answer: 'sealed' }]);
});
