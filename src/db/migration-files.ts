import { createHash, randomUUID } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../../prisma/migrations/', import.meta.url);

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The oldest build that can use the tables after this migration, as stated in its first line. */
export const oldestBuildOf = ({ sql }: Pick<Migration, 'sql'>): string | undefined =>
  /^-- oldest build: (\d+\.\d+\.\d+)$/m.exec(sql.split('\n', 1)[0] ?? '')?.[1];

/** The SHA-256 of a migration, as Prisma Migrate records it. */
export const checksumOf = ({ sql }: Pick<Migration, 'sql'>): string =>
  createHash('sha256').update(sql).digest('hex');

/**
 * Whether the checksum belongs to the migration, regardless of the line endings with which Git checked out the file.
 */
export function isChecksumOf({ sql }: Migration, checksum: string): boolean {
  const unixText = sql.replaceAll('\r\n', '\n');
  const texts = [sql, unixText, unixText.replaceAll('\n', '\r\n')];
  return texts.some((text) => checksumOf({ sql: text }) === checksum);
}

const textOrNull = (text: string | undefined): string => (text === undefined ? 'NULL' : `'${text}'`);

/** The SQL that records a migration as applied. */
export const recordOf = (migration: Migration): string => `
  INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count, oldest_build)
  VALUES (
    '${randomUUID()}', '${checksumOf(migration)}', '${migration.name}', clock_timestamp(), 1,
    ${textOrNull(oldestBuildOf(migration))}
  )`;

/** The version of this build. */
export async function buildVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}

/** Whether a version is older than another one. Compares the parts as numbers, so that 0.10.0 is newer than 0.9.1. */
export const isOlderBuild = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) < 0;

/** Reads the migrations of this build, followed by those of the loaded extensions. */
export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const own = await Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(new URL(`${name}/migration.sql`, folder), 'utf8'),
    })),
  );
  const { extensionMigrations } = await import('../extensions/loaded.ts');
  return [...own, ...extensionMigrations()];
}
