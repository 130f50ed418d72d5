import { readdir, readFile } from 'node:fs/promises';

const folder = new URL('../../prisma/migrations/', import.meta.url);

export interface Migration {
  readonly name: string;
  readonly sql: string;
}

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
