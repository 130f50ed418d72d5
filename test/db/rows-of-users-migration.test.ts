import { expect, test } from '@jest/globals';
import { stockedDatabase } from '../support/database.ts';

const constraints = {
  bulk_command: 'bulk_command_username_fkey',
  conversion: 'conversion_user_id_fkey',
  kept_answer: 'kept_answer_user_id_fkey',
};
const undo = [
  ...Object.entries(constraints).map(([table, name]) => `ALTER TABLE ${table} DROP CONSTRAINT ${name}`),
  'DROP INDEX bulk_command_username_idx',
  "DELETE FROM _prisma_migrations WHERE migration_name ~ '_rows_of_users$'",
];

test('the migration deletes what users who are gone have asked for', async () => {
  await using stocked = await stockedDatabase();
  const { prisma, migrate } = stocked.database;
  for (const statement of undo) await prisma.$executeRawUnsafe(statement);
  const deletedAt = new Date('2026-01-02');
  for (const id of ['ann', 'ben']) await prisma.user.create({ data: { id } });
  for (const id of ['ben', 'cid']) await prisma.formerUser.create({ data: { id, deletedAt } });
  const days = { ann: [1], ben: [1, 3], cid: [1] };
  const asked = Object.entries(days).flatMap(([user, all]) =>
    all.map((day) => `('${user}', 'of ${user}, day ${day}', '2026-01-0${day}'::timestamptz)`),
  );
  const given = `(VALUES ${asked.join(', ')}) AS g (name, key, at)`;
  for (const statement of [
    `INSERT INTO kept_answer (repository, user_id, key, request, created_at)
     SELECT 'default', name, key, '', at FROM ${given}`,
    `INSERT INTO bulk_command (id, repository, username, action, parameters, query, submitted_at)
     SELECT gen_random_uuid(), 'default', name, key, '{}', '{}', at FROM ${given}`,
    `INSERT INTO conversion (user_id, source_digest, source_type, parameters, stem, created_at)
     SELECT name, '', '', '{}', key, at FROM ${given}`,
  ])
    await prisma.$executeRawUnsafe(statement);
  expect(await migrate()).toEqual([expect.stringMatching(/_rows_of_users$/)]);
  const left = ['of ann, day 1', 'of ben, day 3'];
  const answers = await prisma.keptAnswer.findMany({ orderBy: { key: 'asc' } });
  expect(answers.map(({ key }) => key)).toEqual(left);
  const commands = await prisma.bulkCommand.findMany({ orderBy: { action: 'asc' } });
  expect(commands.map(({ action }) => action)).toEqual(left);
  const conversions = await prisma.conversion.findMany({ orderBy: { stem: 'asc' } });
  expect(conversions.map(({ stem }) => stem)).toEqual(left);
});
