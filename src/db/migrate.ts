import { createHash, randomUUID } from 'node:crypto';
import { Unavailable } from '../errors.ts';
import type { Driver } from './database.ts';
import { type Migration, readMigrations } from './migration-files.ts';

/** As Prisma Migrate creates it: databases that it has migrated are accepted. */
const recordTable = `
  CREATE TABLE _prisma_migrations (
    id VARCHAR(36) PRIMARY KEY NOT NULL,
    checksum VARCHAR(64) NOT NULL,
    finished_at TIMESTAMPTZ,
    migration_name VARCHAR(255) NOT NULL,
    logs TEXT,
    rolled_back_at TIMESTAMPTZ,
    started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
    applied_steps_count INTEGER NOT NULL DEFAULT 0
  )`;

const stateQuery = {
  name: '',
  text: `
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "hasRecord",
      EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema()) AS "hasTables"`,
};

const recordQuery = {
  name: '',
  text: `
    SELECT migration_name AS name, finished_at IS NOT NULL AS "isFinished" FROM _prisma_migrations
    WHERE rolled_back_at IS NULL`,
};

const recorded = ({ name, sql }: Migration): string => `${sql}
  ;
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
  VALUES ('${randomUUID()}', '${createHash('sha256').update(sql).digest('hex')}', '${name}', clock_timestamp(), 1)`;

/** @throws Unavailable when a migration failed. */
async function appliedMigrations({ query }: Pick<Driver, 'query'>): Promise<Set<string>> {
  const rows = (await query(recordQuery, [])) as Array<{ name: string; isFinished: boolean }>;
  const failed = rows.find(({ isFinished }) => !isFinished);
  if (failed) {
    throw new Unavailable(
      `the migration ${failed.name} failed in an older release: undo what it left, and delete its row of _prisma_migrations`,
    );
  }
  return new Set(rows.map(({ name }) => name));
}

/**
 * Applies the migrations that the database lacks, in order, each in a transaction of its own.
 * @returns their names.
 * @throws Unavailable when the database has tables that no migration made.
 */
export async function migrate(
  driver: Pick<Driver, 'query' | 'script'>,
  migrations?: readonly Migration[],
): Promise<string[]> {
  const [state] = (await driver.query(stateQuery, [])) as Array<{ hasRecord: boolean; hasTables: boolean }>;
  if (!state?.hasRecord) {
    if (state?.hasTables) throw new Unavailable('the database is not empty: its tables are not ours');
    await driver.script(recordTable);
  }
  const applied = await appliedMigrations(driver);
  const missing = (migrations ?? (await readMigrations())).filter(({ name }) => !applied.has(name));
  for (const migration of missing) await driver.script(recorded(migration));
  return missing.map(({ name }) => name);
}
