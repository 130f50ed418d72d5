import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Database } from '../../src/db/database.ts';
import { emptyDatabase } from '../support/database.ts';

let database: Database;
beforeAll(async () => {
  database = (await emptyDatabase()).database;
});
afterAll(() => database.close());

/** Leaves the table as it was before the migration. */
const undo = [
  'DROP INDEX job_due_idx, job_key_idx, job_set_aside_idx, mail_not_before_idx',
  'ALTER TABLE job DROP COLUMN fence',
  'CREATE INDEX job_kind_state_run_at_idx ON job (kind, state, run_at)',
  'CREATE INDEX job_kind_key_id_idx ON job (kind, key, id)',
  'DROP INDEX job_running_key_idx',
  "DELETE FROM _prisma_migrations WHERE migration_name ~ '_(job_indexes|running_jobs)$'",
];

const rows = `
  INSERT INTO job (kind, key, payload) VALUES
    ('send-webhook', 'w even', '{"webhook": "w", "data": {"document": {"uid": "c-b2"}}}'),
    ('send-webhook', 'w odd', '{"webhook": "w", "data": {"document": {"uid": "c-b1"}}}'),
    ('send-webhook', 'w', '{"webhook": "w", "data": {"document": null}}'),
    ('send-mail', 'a', '{}')`;

test('the migration puts deliveries that wait into the two queues of their webhooks', async () => {
  await database.migrate();
  for (const statement of [...undo, rows]) await database.prisma.$executeRawUnsafe(statement);
  expect(await database.migrate()).toEqual([
    expect.stringMatching(/_job_indexes$/),
    expect.stringMatching(/_running_jobs$/),
  ]);
  const jobs = await database.prisma.job.findMany({ orderBy: { id: 'asc' } });
  expect(jobs.map(({ key, fence }) => [key, fence])).toEqual([
    ['w 0', 0],
    ['w 1', 0],
    ['w 0', 0],
    ['a', 0],
  ]);
});

test('the migration leaves one job running of each key', async () => {
  await database.prisma.job.deleteMany();
  for (const statement of [
    'DROP INDEX job_running_key_idx',
    "DELETE FROM _prisma_migrations WHERE migration_name ~ '_running_jobs$'",
    `INSERT INTO job (kind, key, state) VALUES
      ('a', 'one', 'running'), ('a', 'one', 'running'), ('a', 'two', 'running'), ('b', 'one', 'running'), ('a', NULL, 'running')`,
  ])
    await database.prisma.$executeRawUnsafe(statement);
  expect(await database.migrate()).toEqual([expect.stringMatching(/_running_jobs$/)]);
  const jobs = await database.prisma.job.findMany({ orderBy: { id: 'asc' } });
  expect(jobs.map(({ state }) => state)).toEqual(['running', 'waiting', 'running', 'running', 'running']);
});
