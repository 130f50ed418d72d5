import { Unavailable } from '../errors.ts';
import type { Driver } from './driver.ts';
import {
  buildVersion,
  checksumOf,
  isChecksumOf,
  isOlderBuild,
  type Migration,
  readMigrations,
  recordOf,
} from './migration-files.ts';
import { composed } from './statement.ts';
import { isFormer, takeOver } from './take-over.ts';

/**
 * Creates the table of applied migrations exactly as Prisma Migrate does, so that databases migrated by Prisma are
 * accepted.
 */
export const recordTable = `
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

const foreignTables = 'The database is not empty, and its tables do not belong to Quire.';

const stateQuery = composed(
  `
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS "hasRecord",
      EXISTS (
        SELECT FROM pg_attribute WHERE attrelid = to_regclass('_prisma_migrations') AND attname = 'oldest_build'
      ) AS "hasBuilds",
      EXISTS (SELECT FROM pg_tables WHERE schemaname = current_schema()) AS "hasTables"`,
  { hasRecord: 'bool', hasBuilds: 'bool', hasTables: 'bool' },
);

/**
 * Adds a column to Prisma's table; an older build reads this column to find out that the database is too new for it.
 */
export const buildColumn = 'ALTER TABLE _prisma_migrations ADD COLUMN IF NOT EXISTS oldest_build TEXT';

const recordQuery = composed(
  `
    SELECT migration_name AS name, checksum, finished_at IS NOT NULL AS "isFinished",
      oldest_build AS "oldestBuild"
    FROM _prisma_migrations WHERE rolled_back_at IS NULL ORDER BY migration_name`,
  { name: 'text', checksum: 'text', isFinished: 'bool', oldestBuild: 'text?' },
);

/**
 * Reads the names of the migrations that have been applied to the database.
 * @throws Unavailable if a migration failed, needs a newer build, or was edited after it was applied
 */
async function appliedMigrations(
  { query }: Pick<Driver, 'query'>,
  known: readonly Migration[],
  build: string,
): Promise<Set<string>> {
  const rows = await query(recordQuery, []);
  const newer = rows.findLast(({ oldestBuild }) => oldestBuild !== null && isOlderBuild(build, oldestBuild));
  if (newer) {
    throw new Unavailable(
      `This is build ${build}, but the database is newer: its migration ${newer.name} needs ` +
        `build ${newer.oldestBuild} or a later one.`,
    );
  }
  const failed = rows.find(({ isFinished }) => !isFinished);
  if (failed) {
    throw new Unavailable(
      `The migration ${failed.name} failed in an older release. Undo its changes and delete its row in _prisma_migrations.`,
    );
  }
  const checksums = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  const edited = known.find((migration) => {
    const checksum = checksums.get(migration.name);
    return checksum !== undefined && !isChecksumOf(migration, checksum);
  });
  if (edited) {
    throw new Unavailable(
      `The migration ${edited.name} was edited after this database had applied it: its checksum was ` +
        `${checksums.get(edited.name)} and is ${checksumOf(edited)} now. Start a build with the original file ` +
        `prisma/migrations/${edited.name}/migration.sql, and make further changes in a new migration.`,
    );
  }
  return new Set(checksums.keys());
}

/**
 * Returns the names of the migrations that the database lacks, without changing anything.
 * @returns undefined if the database has no tables of Quire yet
 * @throws Unavailable for the same reasons as `migrate`
 */
export async function pendingMigrations(driver: Pick<Driver, 'query'>): Promise<string[] | undefined> {
  const [state] = await driver.query(stateQuery, []);
  if (!state?.hasRecord) {
    if (state?.hasTables) throw new Unavailable(foreignTables);
    return undefined;
  }
  const known = await readMigrations();
  // A database of the first release lacks the column that `appliedMigrations` reads, and needs migrations anyway.
  const applied = state.hasBuilds
    ? await appliedMigrations(driver, known, await buildVersion())
    : new Set<string>();
  return known.map(({ name }) => name).filter((name) => !applied.has(name));
}

/**
 * Applies the migrations that the database lacks, in order. Callers use `exclusively`, so that all migrations run in
 * one transaction.
 * @param build the version to check against; by default, the version of this build
 * @returns the names of the applied migrations
 * @throws Unavailable if the database contains other programs' tables, is too new for the build, or cannot be upgraded
 * from Quire 0.1, or if a migration was edited after it was applied
 */
export async function migrate(
  driver: Pick<Driver, 'query' | 'script'>,
  migrations?: readonly Migration[],
  build?: string,
): Promise<string[]> {
  const [state] = await driver.query(stateQuery, []);
  if (!state?.hasRecord) {
    if (state?.hasTables) throw new Unavailable(foreignTables);
    await driver.script(recordTable);
  }
  if (!state?.hasBuilds) await driver.script(buildColumn);
  const known = migrations ?? (await readMigrations());
  const version = build ?? (await buildVersion());
  let applied = await appliedMigrations(driver, known, version);
  if ([...applied].some(isFormer)) {
    await takeOver(driver, [...applied], known);
    applied = await appliedMigrations(driver, known, version);
  }
  const missing = known.filter(({ name }) => !applied.has(name));
  for (const migration of missing) await driver.script(`${migration.sql}\n;${recordOf(migration)}`);
  return missing.map(({ name }) => name);
}
