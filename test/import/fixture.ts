import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { openFolderStore } from '../../src/blobs/folder-store.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { type ImportOptions, importFolder } from '../../src/import/import-folder.ts';
import type { ImportContext, ImportCounts } from '../../src/import/state.ts';
import { targetAt } from '../../src/import/target.ts';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import type { StoredProperties } from '../../src/model/values/stored.ts';
import { stockedDatabase } from '../support/database.ts';
import { newFolder } from '../support/folder.ts';

/** A folder by the names in it: text, bytes, or a folder again. */
export interface Tree {
  readonly [name: string]: string | Uint8Array | Tree;
}

/** Writes a tree to disk. */
export async function plant(folder: string, tree: Tree): Promise<string> {
  await mkdir(folder, { recursive: true });
  for (const [name, content] of Object.entries(tree)) {
    const path = join(folder, name);
    if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content);
    else await plant(path, content);
  }
  return folder;
}

/** The columns of an imported document that tests read. */
export interface Imported {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly title: string;
  readonly properties: StoredProperties;
}

/** A database to import to, and folders of files to import. */
export interface ImportStage extends AsyncDisposable {
  readonly scope: ImportContext & { readonly database: Database };
  /** The id of /default-domain/workspaces. */
  readonly target: string;
  /** Creates a folder of files for one test. */
  folder(tree: Tree): Promise<string>;
  import(path: string, changes?: Partial<ImportContext>, watch?: ImportOptions): Promise<Outcome>;
  /** The documents of an imported folder by their relative paths; the folder itself has the empty path. */
  imported(path: string): Promise<Map<string, Imported>>;
}

export interface Outcome {
  readonly counts: ImportCounts;
  /** Reasons by path. */
  readonly skipped: Record<string, string>;
}

const workspaces = '/default-domain/workspaces';

/** A database and a blob store of a test file's own. */
export async function stageImport(): Promise<ImportStage> {
  const dataFolder = newFolder();
  const { database } = await stockedDatabase();
  const model = await loadModel(undefined);
  const blobs = await openFolderStore(join(dataFolder, 'blobs'));
  const stock = { database, model, blobs, repository: 'default' };
  const scope = {
    ...stock,
    user: 'Administrator',
    config: readConfig({}),
    markdownType: 'text/markdown' as const,
    dataFolder: join(dataFolder, 'blobs'),
  };
  const target = await targetAt(database, model, { repository: 'default', path: workspaces });
  let count = 0;

  return {
    scope,
    target,
    folder: (tree) => {
      count += 1;
      return plant(join(dataFolder, `files-${count}`), tree);
    },
    import: async (path, changes = {}, watch = {}) => {
      const skipped: Outcome['skipped'] = {};
      const onSkipped = (what: string, reason: string) => {
        skipped[what] = reason;
      };
      const counts = await importFolder({ ...scope, ...changes }, { path, target }, { onSkipped, ...watch });
      return { counts, skipped };
    },
    imported: async (path) => {
      const root = `${workspaces}/${basename(path)}`;
      const rows = await database.prisma.document.findMany({
        where: { OR: [{ path: root }, { path: { startsWith: `${root}/` } }] },
      });
      return new Map(rows.map((row) => [row.path.slice(root.length + 1), row as unknown as Imported]));
    },
    [Symbol.asyncDispose]: database.close,
  };
}
