import { createHash } from 'node:crypto';
import pg from 'pg';
import { v7 } from 'uuid';
import { createDatabase } from '../src/db/database.ts';
import { connectServer } from '../src/db/postgres-server.ts';
import type { DocumentRow } from '../src/loaders/documents/document-row.ts';
import { newRow } from '../src/store/documents/create-document.ts';
import { authorization } from './ours.ts';
import { execute } from './postgres.ts';

/** The number of documents in each folder. It equals the default page size. */
const perFolder = 50;
const folders = 400;

/** A document, as Quire's responses represent it. */
export interface Entity {
  readonly uid: string;
  readonly path: string;
  readonly type: string;
  readonly title: string;
  readonly parentRef: string;
  readonly [field: string]: unknown;
}

const words = 'quarterly report of the archive with figures drafts notes and minutes from every branch'.split(
  ' ',
);
const text = (length: number, seed: number): string =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * index + index) % words.length]).join(' ');

const dublinCore = (title: string, seed: number) => ({
  'dc:title': title,
  'dc:description': text(12, seed),
  'dc:created': new Date(1_700_000_000_000 + seed * 60_000).toISOString(),
  'dc:modified': new Date(1_710_000_000_000 + seed * 60_000).toISOString(),
  'dc:creator': 'Administrator',
  'dc:contributors': ['Administrator'],
  'dc:lastContributor': 'Administrator',
  'dc:nature': 'report',
  'dc:subjects': ['sciences/astronomy', 'society/history'],
  'dc:language': 'en',
  'nxtag:tags': ['archive', 'figures'].map((label) => ({ label, username: 'Administrator' })),
});

const numbered = (name: string, index: number): string => `${name}-${String(index).padStart(4, '0')}`;

/**
 * Creates a row. Its id is the same in every database and is as close to the neighboring ids as in ordinary use.
 */
function laidRow(
  parent: Parameters<typeof newRow>[0],
  seed: number,
  made: Parameters<typeof newRow>[1],
): DocumentRow {
  const row = newRow(parent, made);
  const random = createHash('sha256').update(row.path).digest().subarray(0, 16);
  return { ...row, id: v7({ msecs: 1_710_000_000_000 + seed, seq: 0, random }) };
}

/** Creates a child of a folder: alternately a file and a note. */
function child(folder: DocumentRow, index: number, seed: number): DocumentRow {
  const type = index % 2 === 0 ? 'File' : 'Note';
  const name = numbered(type.toLowerCase(), index);
  const common = dublinCore(`${text(4, seed)} ${numbered('', index)}`, seed);
  const content = {
    name: `${name}.pdf`,
    mimeType: 'application/pdf',
    encoding: null,
    length: 48_213 + seed,
    digest: createHash('sha256').update(name).digest('hex'),
  };
  const own = type === 'File' ? { 'file:content': content } : { 'note:note': `<p>${text(60, seed)}</p>` };
  return laidRow(folder, seed, { name, type, properties: { ...common, ...own } });
}

/**
 * Inserts the documents below `/default-domain/workspaces/bench` directly into the database. They are the same in
 * every run.
 */
export async function seedOurs(databaseUrl: string): Promise<void> {
  const { prisma, close } = createDatabase(connectServer(databaseUrl, 300));
  const above = { repository: 'default', path: '/default-domain/workspaces' };
  const workspaces = await prisma.document.findFirstOrThrow({ where: above });
  const root = laidRow(workspaces, 0, { name: 'bench', type: 'Folder', properties: dublinCore('Bench', 0) });
  await prisma.document.create({ data: root });
  for (let index = 0; index < folders; index += 1) {
    const name = numbered('folder', index);
    const folder = laidRow(root, index * perFolder, {
      name,
      type: 'Folder',
      properties: dublinCore(name, index),
    });
    const below = Array.from({ length: perFolder }, (_, at) => child(folder, at, index * perFolder + at));
    await prisma.document.createMany({ data: [folder, ...below] });
  }
  await close();
  await execute(databaseUrl, 'VACUUM ANALYZE');
}

async function entries(address: string): Promise<Entity[]> {
  const response = await fetch(address, { headers: { authorization } });
  if (!response.ok) throw new Error(`${address}: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { entries: Entity[] }).entries;
}

/** Reads all inserted documents through the API, folders first. */
export async function readAll(base: string): Promise<Entity[]> {
  const bench = `${base}/path/default-domain/workspaces/bench`;
  const all = await entries(`${bench}/@children?pageSize=1000`);
  for (const { uid } of all.slice()) all.push(...(await entries(`${base}/id/${uid}/@children`)));
  if (all.length !== folders * (perFolder + 1))
    throw new Error(`the server returns only ${all.length} documents`);
  return all;
}

const table = `
  CREATE TABLE document (id uuid PRIMARY KEY, path text UNIQUE, parent uuid, title text, body jsonb);
  CREATE INDEX ON document (parent, title)`;

/** Inserts the same entities into the hand-written server's table. */
export async function seedRival(databaseUrl: string, all: readonly Entity[]): Promise<void> {
  await execute(databaseUrl, table);
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  for (let from = 0; from < all.length; from += 1000) {
    const some = all.slice(from, from + 1000);
    const columns = [some.map(({ uid }) => uid), some.map(({ path }) => path)];
    columns.push(
      some.map(({ parentRef }) => parentRef),
      some.map(({ title }) => title),
    );
    await client.query(
      'INSERT INTO document SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::text[], $5::jsonb[])',
      [...columns, some.map((entity) => JSON.stringify(entity))],
    );
  }
  await client.end();
  await execute(databaseUrl, 'VACUUM ANALYZE');
}
