import type { Client, Database } from '../db/database.ts';
import { placeOf } from '../directories/source.ts';
import { readFirstEntries } from '../model/first-entries.ts';
import type { Model } from '../model/model.ts';
import { type Chief, layAccounts } from './stock-accounts.ts';
import { layTree } from './stock-tree.ts';
import { layModelDocuments } from './workflows/model-documents.ts';

export interface StockSettings extends Chief {
  readonly repositories: readonly string[];
}

/** Entries are laid once: what an administrator deleted does not come back at the next start. */
async function layDirectories({ prisma }: Client, model: Model): Promise<void> {
  const laid = new Set((await prisma.directory.findMany()).map(({ name }) => name));
  const missing = [...model.directories.values()].filter(({ name }) => !laid.has(name));
  if (missing.length === 0) return;
  for (const directory of missing) {
    const entries = await readFirstEntries(directory);
    const data = entries.map((entry) => ({
      ...{ directory: directory.name, ...entry },
      ordering: placeOf(directory, entry).ordering,
    }));
    if (data.length > 0) await prisma.directoryEntry.createMany({ data });
  }
  await prisma.directory.createMany({ data: missing.map(({ name }) => ({ name })) });
}

/** Creates what every installation starts with and what is not there yet; safe in several processes at once. */
export async function layStockContent(
  database: Database,
  model: Model,
  settings: StockSettings,
): Promise<void> {
  await database.exclusively(() =>
    database.transaction(60, async (client) => {
      await layAccounts(client, settings);
      await layDirectories(client, model);
      for (const repository of settings.repositories) {
        const user = settings.administrator.username;
        await layTree(client, repository, user);
        await layModelDocuments(client, model, { repository, user });
      }
    }),
  );
}
