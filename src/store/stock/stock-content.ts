import type { Client, Database } from '../../db/database.ts';
import { lockStartUp } from '../../db/start-up-lock.ts';
import { entryPosition } from '../../loaders/directories/source.ts';
import { readFirstEntries } from '../../model/directories/first-entries.ts';
import type { Model } from '../../model/model.ts';
import { fillFoldedIds } from '../authorities/folded-ids.ts';
import { createModelDocuments } from '../workflows/model-documents.ts';
import { type AdministratorSettings, createStockAccounts } from './stock-accounts.ts';
import { createStockTree } from './stock-tree.ts';

interface StockSettings extends AdministratorSettings {
  readonly repositories: readonly string[];
}

/** Entries are created once: one that an administrator deleted does not reappear at the next start. */
async function layDirectories({ prisma }: Client, model: Model): Promise<void> {
  const laid = new Set((await prisma.directory.findMany()).map(({ name }) => name));
  const missing = [...model.directories.values()].filter(({ name }) => !laid.has(name));
  if (missing.length === 0) return;
  for (const directory of missing) {
    const entries = await readFirstEntries(directory);
    const data = entries.map((entry) => ({
      directory: directory.name,
      ...entry,
      ordering: entryPosition(directory, entry).ordering,
    }));
    if (data.length > 0) await prisma.directoryEntry.createMany({ data });
  }
  await prisma.directory.createMany({ data: missing.map(({ name }) => ({ name })) });
}

export async function createStockContent(
  database: Database,
  model: Model,
  settings: StockSettings,
): Promise<void> {
  await fillFoldedIds(database);
  await database.transaction(60, async (client) => {
    await lockStartUp(client);
    await createStockAccounts(client, settings);
    await layDirectories(client, model);
    for (const repository of settings.repositories) {
      const user = settings.administrator.username;
      await createStockTree(client, repository, user);
      await createModelDocuments(client, model, { repository, user });
    }
  });
}
