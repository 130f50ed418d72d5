import { readdir, readFile } from 'node:fs/promises';

/** Where the tables are described, and their history. */
export const prismaFolder = new URL('../../prisma/', import.meta.url);

/** A step of the tables' history. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The folders of `prisma/migrations`, in order. */
export async function readMigrations(): Promise<Migration[]> {
  const base = new URL('migrations/', prismaFolder);
  const entries = await readdir(base, { withFileTypes: true });
  const names = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    names.sort().map(async (name) => ({
      name,
      sql: await readFile(new URL(`${name}/migration.sql`, base), 'utf8'),
    })),
  );
}
