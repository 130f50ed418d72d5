import type { Client, Database } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { type DefaultDocument, defaultTree } from '../model/default-tree.ts';
import type { Model } from '../model/model.ts';
import type { StoredProperties } from '../model/stored.ts';
import { readVocabulary } from '../model/vocabularies.ts';
import { administrator } from '../scope.ts';
import { newRow } from './create-document.ts';
import { whenCreated } from './dublin-core.ts';
import { type Chief, layAccounts } from './stock-accounts.ts';

export interface StockSettings extends Chief {
  readonly repositories: readonly string[];
}

/** Entries are laid once: what an administrator deleted does not come back at the next start. */
async function layDirectories({ prisma }: Client, model: Model): Promise<void> {
  const laid = new Set((await prisma.directory.findMany()).map(({ name }) => name));
  const missing = [...model.directories.values()].filter(({ name }) => !laid.has(name));
  if (missing.length === 0) return;
  for (const directory of missing) {
    const entries = await readVocabulary(directory.name);
    const data = entries.map(({ id, ...properties }) => ({
      directory: directory.name,
      id: String(id),
      properties,
    }));
    if (data.length > 0) await prisma.directoryEntry.createMany({ data });
  }
  await prisma.directory.createMany({ data: missing.map(({ name }) => ({ name })) });
}

/** The rows of a new repository's tree, parents before children. */
function treeRows(parent: DocumentRow, children: readonly DefaultDocument[], user: string): DocumentRow[] {
  return children.flatMap(({ name, type, title, children: below = [] }) => {
    const row = newRow(parent, { name, type, properties: stockProperties(user, title) });
    return [row, ...treeRows(row, below, user)];
  });
}

function stockProperties(user: string, title?: string): StoredProperties {
  const given: StoredProperties = title === undefined ? {} : { 'dc:title': title };
  return whenCreated(administrator(user), new Date().toISOString(), given);
}

async function layTree({ prisma }: Client, repository: string, user: string): Promise<void> {
  if (await prisma.document.findFirst({ where: { repository, path: '/' }, select: { id: true } })) return;
  const properties = stockProperties(user);
  const above = { repository, id: '', path: '/', ancestorIds: [] };
  const made = newRow(above, { name: defaultTree.name, type: defaultTree.type, properties });
  const root = { ...made, parentId: null, ancestorIds: [], path: '/' };
  await prisma.document.createMany({ data: [root, ...treeRows(root, defaultTree.children ?? [], user)] });
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
        await layTree(client, repository, settings.administrator.username);
      }
    }),
  );
}
