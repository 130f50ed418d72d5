import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openBlobStore } from '../../src/blobs/blob-store.ts';
import type { Database } from '../../src/db/database.ts';
import { type ImportWatch, importFolder } from '../../src/import/import-folder.ts';
import type { ImportCounts, ImportScope } from '../../src/import/state.ts';
import { targetAt } from '../../src/import/target.ts';
import { loadModel } from '../../src/model/contributed.ts';
import type { StoredProperties } from '../../src/model/stored.ts';
import { stockedDatabase } from '../support/database.ts';

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

/** What a test wants to see of an imported document. */
export interface Imported {
  readonly id: string;
  readonly parentId: string | null;
  readonly type: string;
  readonly title: string;
  readonly properties: StoredProperties;
}

/** Somewhere to import to, and files to import. */
export interface ImportStage {
  readonly scope: ImportScope & { readonly database: Database };
  /** The id of /default-domain/workspaces. */
  readonly target: string;
  /** Makes a folder of files that no other test has. */
  folder(tree: Tree): Promise<string>;
  import(path: string, changes?: Partial<ImportScope>, watch?: ImportWatch): Promise<Outcome>;
  /** What is below the document of a folder, by its path from there; the folder itself is the empty path. */
  imported(path: string): Promise<Map<string, Imported>>;
  stop(): Promise<void>;
}

export interface Outcome {
  readonly counts: ImportCounts;
  /** Reasons by path. */
  readonly skipped: Record<string, string>;
}

const workspaces = '/default-domain/workspaces';

/** A database and a blob store of a test file's own. */
export async function stageImport(): Promise<ImportStage> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'quire-import-'));
  const { database } = await stockedDatabase();
  const model = await loadModel(undefined);
  const blobs = await openBlobStore(join(dataFolder, 'blobs'));
  const stock = { database, model, blobs, repository: 'default' };
  const scope = { ...stock, user: 'Administrator', seconds: 60, dataFolder: join(dataFolder, 'blobs') };
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
    stop: async () => {
      await database.close();
      await rm(dirname(scope.dataFolder), { recursive: true });
    },
  };
}
