import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../../prisma/migrations/', import.meta.url);

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The oldest build that works on tables with this migration, by its first line; absent in the first ones. */
export const oldestBuildOf = ({ sql }: Pick<Migration, 'sql'>): string | undefined =>
  /^-- oldest build: (\d+\.\d+\.\d+)$/m.exec(sql.split('\n', 1)[0] ?? '')?.[1];

/** The version of this build. */
export async function buildVersion(): Promise<string> {
  const { version } = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
  return version;
}

/** By numbers, not by characters: 0.10.0 is newer than 0.9.1. */
export const isOlderBuild = (one: string, other: string): boolean =>
  one.localeCompare(other, 'en', { numeric: true }) < 0;

export async function readMigrations(): Promise<Migration[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(new URL(`${name}/migration.sql`, folder), 'utf8'),
    })),
  );
}
