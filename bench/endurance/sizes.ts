import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { execute } from '../postgres.ts';

/** The sizes of everything that could grow, by name. */
export interface Sizes {
  /** The numbers of documents and log entries, which the sizes can be in proportion to. */
  readonly content: Readonly<Record<'documents' | 'entries', number>>;
  /** The bytes of tables, indexes and folders. */
  readonly bytes: ReadonlyMap<string, number>;
  /** The numbers of jobs and of documents that are not indexed. */
  readonly queues: ReadonlyMap<string, number>;
}

const contentQuery = `
  SELECT (SELECT count(*) FROM document)::int AS documents, (SELECT count(*) FROM log_entry)::int AS entries`;

const relationsQuery = `
  SELECT relname AS name, pg_table_size(oid)::float8 AS bytes FROM pg_class
  WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'i', 'm')`;

const queuesQuery = `
  SELECT 'jobs ' || kind AS name, count(*)::int AS count FROM job GROUP BY kind
  UNION ALL SELECT 'changes to be indexed', count(*)::int FROM search_change`;

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    const file = await stat(join(entry.parentPath, entry.name)).catch(() => undefined);
    bytes += file?.size ?? 0;
  }
  return bytes;
}

/** @param dataDir the folder that the nodes share */
export async function measureSizes(databaseUrl: string, dataDir: string): Promise<Sizes> {
  const [content] = (await execute(databaseUrl, contentQuery)) as Array<Sizes['content']>;
  const bytes = new Map<string, number>();
  for (const row of (await execute(databaseUrl, relationsQuery)) as Array<{ name: string; bytes: number }>)
    bytes.set(row.name, row.bytes);
  for (const entry of await readdir(dataDir, { withFileTypes: true }))
    if (entry.isDirectory()) bytes.set(`folder ${entry.name}`, await folderBytes(join(dataDir, entry.name)));
  const queues = new Map<string, number>();
  for (const row of (await execute(databaseUrl, queuesQuery)) as Array<{ name: string; count: number }>)
    queues.set(row.name, row.count);
  return { content: content ?? { documents: 0, entries: 0 }, bytes, queues };
}

/** How much faster than the content something can grow, because its size varies. */
const maxExcess = 1.25;

/** The number of bytes that everything can grow: indexes and tables grow in steps. */
const freeBytes = 8_000_000;

/** The number of items that a queue can have more than before. */
const freeItems = 200;

/** Describes what has grown more than the content has. */
export function growthFaults(
  before: Sizes,
  after: Sizes,
  uploaded: { before: number; after: number },
): string[] {
  const factor = Math.max(
    1,
    after.content.documents / before.content.documents,
    after.content.entries / before.content.entries,
  );
  const faults: string[] = [];
  for (const [name, bytes] of after.bytes) {
    // Files whose documents were deleted remain for a day.
    const own = name === 'folder blobs' ? uploaded.after / Math.max(1, uploaded.before) : factor;
    const known = before.bytes.get(name) ?? 0;
    if (bytes > known * Math.max(factor, own) * maxExcess + freeBytes)
      faults.push(`${name} has grown from ${(known / 1e6).toFixed(1)} to ${(bytes / 1e6).toFixed(1)} MB`);
  }
  for (const [name, count] of after.queues) {
    const known = before.queues.get(name) ?? 0;
    if (count > known + freeItems) faults.push(`${name}: ${count}, before ${known}`);
  }
  return faults;
}
