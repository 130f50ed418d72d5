import { expect, test } from '@jest/globals';
import { stockedDatabase } from '../support/database.ts';

const undo = [
  'ALTER TABLE oauth2_token DROP COLUMN ends_at',
  "DELETE FROM _prisma_migrations WHERE migration_name ~ '_token_ends$'",
];

test('the migration ends what clients got for JWTs an hour after it was made, and nothing else', async () => {
  await using stocked = await stockedDatabase();
  const { prisma, migrate } = stocked.database;
  for (const statement of undo) await prisma.$executeRawUnsafe(statement);
  const made = [
    `INSERT INTO oauth2_client (id, client_id, name, auto_grant, enabled) VALUES (1, 'app', '', false, true)`,
    `INSERT INTO oauth2_token
       (client_id, user_id, access_hash, access_sealed, refresh_hash, refresh_sealed, scope, created_at, code_hash)
     VALUES (1, 'Administrator', 'a', '', 'a', '', '{}', '2026-01-01T12:00:00Z', NULL),
       (1, 'Administrator', 'b', '', 'b', '', '{}', '2026-01-01T12:00:00Z', 'of a code')`,
  ];
  for (const statement of made) await prisma.$executeRawUnsafe(statement);
  expect(await migrate()).toEqual([expect.stringMatching(/_token_ends$/)]);
  const tokens = await prisma.oAuth2Token.findMany({ orderBy: { id: 'asc' }, select: { endsAt: true } });
  expect(tokens).toEqual([{ endsAt: new Date('2026-01-01T13:00:00Z') }, { endsAt: null }]);
});
