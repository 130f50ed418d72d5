import { createHash } from 'node:crypto';
import type { Driver } from './database.ts';
import { type Migration, readMigrations } from './migration-files.ts';

const record = {
  name: '',
  text: `SELECT migration_name AS name, checksum FROM _prisma_migrations
    WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`,
};

const exists = { name: '', text: `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS is_there` };

/** Whether the database has had every migration, as it is written now. */
async function isUpToDate(
  { query }: Pick<Driver, 'query'>,
  migrations: readonly Migration[],
): Promise<boolean> {
  const [found] = (await query(exists, [])) as Array<{ is_there: boolean }>;
  if (!found?.is_there) return false;
  const rows = (await query(record, [])) as Array<{ name: string; checksum: string }>;
  const applied = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  return migrations.every(
    ({ name, sql }) => applied.get(name) === createHash('sha256').update(sql).digest('hex'),
  );
}

/** Applies what the database lacks of the migrations, and names it. */
export async function migrate(driver: Driver): Promise<string[]> {
  const migrations = await readMigrations();
  // The engine is large: it is loaded only when there is something for it to do.
  if (await isUpToDate(driver, migrations)) return [];
  const { applyMigrations } = await import('./schema-engine.ts');
  return applyMigrations(driver.schemaAdapter ?? driver.adapter, migrations);
}
