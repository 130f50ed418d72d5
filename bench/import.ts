import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createDatabase } from '../src/db/database.ts';
import { connectServer } from '../src/db/postgres-server.ts';
import { changesOfBatch, indexNextChanges } from '../src/store/search/search-changes.ts';
import { atEnd, toTheEnd } from './closing.ts';
import { nodeOptions } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';

/**
 * Measures how many documents per second `quire import` creates in an empty database: first from JSON lines
 * (`--documents`), then from small text files in folders (`--files`). For comparison, PostgreSQL itself writes the
 * same rows.
 */

const perFolder = 50;

const workspaces = '/default-domain/workspaces';

const words = 'quarterly report of the archive with figures drafts notes and minutes from every branch'.split(
  ' ',
);
const text = (length: number, seed: number): string =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * index + index) % words.length]).join(' ');

const line = (path: string, type: string, seed: number, more: object = {}): string =>
  `${JSON.stringify({
    path,
    type,
    properties: {
      'dc:title': `${text(3, seed)} ${seed}`,
      'dc:description': text(12, seed),
      'dc:created': new Date(1_700_000_000_000 + seed * 60_000).toISOString(),
      'dc:creator': 'ada',
      'dc:nature': 'report',
      'dc:subjects': ['sciences/astronomy', 'society/history'],
      'dc:language': 'en',
      'dc:source': `archive ${seed % 100}`,
    },
    ...more,
  })}\n`;

function* lines(documents: number): Generator<string> {
  for (let seed = 0; seed < documents; seed += 1) {
    const folder = Math.floor(seed / perFolder);
    const at = `${workspaces}/folder-${folder}`;
    const acl = [{ username: 'members', permission: 'Write', granted: true }];
    if (seed % perFolder === 0) yield line(at, 'Folder', seed, folder % 10 === 0 ? { acl } : {});
    else yield line(`${at}/document-${seed}`, seed % 2 ? 'File' : 'Note', seed);
  }
}

async function writeLines(file: string, documents: number): Promise<void> {
  const stream = createWriteStream(file);
  for (const each of lines(documents)) if (!stream.write(each)) await once(stream, 'drain');
  stream.end();
  await once(stream, 'finish');
}

/**
 * Runs the built command. @returns the number of seconds that it reports, counted from when the database is open
 */
async function importing(args: readonly string[], settings: Record<string, string>): Promise<number> {
  const program = fileURLToPath(new URL('../dist/cli/quire.js', import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions('quire'), program, 'import', ...args], {
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  atEnd(async () => void child.kill());
  let printed = '';
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk.toString();
  });
  const [code] = await once(child, 'close');
  const seconds = Number(/ in ([\d.]+) s /.exec(printed)?.[1]);
  if (code !== 0 || Number.isNaN(seconds)) throw new Error(`the import failed: ${printed}`);
  return seconds;
}

/** Measures how many seconds PostgreSQL needs to write the same rows to tables with the same indexes. */
async function copyRows(databaseUrl: string): Promise<number> {
  await execute(
    databaseUrl,
    `CREATE TABLE document_copy (LIKE document INCLUDING ALL);
     CREATE TABLE log_entry_copy (LIKE log_entry INCLUDING ALL);
     ALTER TABLE document_copy ADD FOREIGN KEY (repository, parent_id) REFERENCES document_copy (repository, id)`,
  );
  const start = performance.now();
  await execute(
    databaseUrl,
    `BEGIN; INSERT INTO document_copy SELECT * FROM document;
     INSERT INTO log_entry_copy SELECT * FROM log_entry; COMMIT`,
  );
  return (performance.now() - start) / 1000;
}

/** Measures how many seconds an otherwise idle server needs to build the search index after an import. */
async function index(databaseUrl: string): Promise<number> {
  const database = createDatabase(connectServer(databaseUrl, 60));
  const start = performance.now();
  // The documents are small, so they are all in the fast lane.
  const fast = { lane: 'fast', limit: changesOfBatch } as const;
  while ((await database.transaction(60, (client) => indexNextChanges(client, fast))).hasMore);
  const seconds = (performance.now() - start) / 1000;
  await database.close();
  return seconds;
}

async function writeFiles(folder: string, files: number): Promise<void> {
  for (let seed = 0; seed < files; seed += 1) {
    const path = join(folder, `folder-${Math.floor(seed / perFolder)}`);
    if (seed % perFolder === 0) await mkdir(path, { recursive: true });
    await writeFile(join(path, `text-${seed}.txt`), text(100, seed));
  }
}

const perSecond = (count: number, seconds: number): string =>
  `${Math.round(count / seconds).toLocaleString('en')} a second`;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      documents: { type: 'string', default: '200000' },
      files: { type: 'string', default: '30000' },
    },
  });
  const [documents, files] = [Number(values.documents), Number(values.files)];
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, 'documents.jsonl');
  await writeLines(file, documents);
  await writeFiles(join(folder, 'files'), files);
  const postgres = await startPostgres();
  const settings = async (name: string) => ({
    DATABASE_URL: await postgres.createDatabase(),
    DATA_DIR: join(folder, name),
  });
  const ofLines = await settings('lines');
  const lines = await importing(['--jsonl', file], ofLines);
  const copied = await copyRows(ofLines.DATABASE_URL);
  console.log(
    `${documents} lines: ${perSecond(documents, lines)}; PostgreSQL itself: ${perSecond(documents, copied)}; ` +
      `ratio ${(copied / lines).toFixed(2)}`,
  );
  console.log(`search index: ${perSecond(documents, await index(ofLines.DATABASE_URL))}`);
  const folders = await importing([join(folder, 'files')], await settings('files-data'));
  console.log(`${files} small text files in folders: ${perSecond(files, folders)}`);
}

await toTheEnd(main);
