import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { filesInFolders } from './files-in-folders.ts';
import { authorization, startOurs } from './ours.ts';
import { execute, startPostgres } from './postgres.ts';
import { median } from './table.ts';

/**
 * Measures the report about the storage: how long the job takes that counts the files, and how long an administrator
 * waits for the report.
 */

const { values } = parseArgs({ options: { files: { type: 'string', default: '1000000' } } });
const perFolder = 1_000;
const rounds = 9;

/** Inserts documents with files. A file in a hundred is in two documents. Triggers, for example of the index, are off. */
const seed = async (databaseUrl: string): Promise<void> => {
  await execute(
    databaseUrl,
    `SET session_replication_role = replica;
     ${filesInFolders('/default-domain/workspaces', Number(values.files) / perFolder, perFolder)};
     INSERT INTO document_blob (repository, document_id, xpath, digest)
     SELECT repository, id, 'file:content', lpad(to_hex(n - (n % 100 = 0)::int), 64, '0')
     FROM (SELECT repository, id, row_number() OVER () AS n FROM document WHERE type = 'File') d;
     UPDATE document d SET properties = d.properties || jsonb_build_object(
       'file:content', jsonb_build_object('digest', b.digest, 'name', d.name, 'length', 1000 + length(d.path)))
     FROM document_blob b WHERE b.document_id = d.id`,
  );
  await execute(databaseUrl, 'VACUUM ANALYZE document, document_blob');
};

interface Report {
  readonly countedAt: string | null;
  readonly isCounting: boolean;
  readonly parts: readonly unknown[];
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  const databaseUrl = await (await startPostgres()).createDatabase();
  const { url } = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: folder });
  const ask = async <Data>(query: string): Promise<Data> => {
    const headers = { authorization, 'content-type': 'application/json' };
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers,
      body: JSON.stringify({ query }),
    });
    const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
    if (errors) throw new Error(JSON.stringify(errors));
    return data;
  };
  const read = async () =>
    (await ask<{ storage: Report }>('{ storage { countedAt isCounting parts { kind files bytes } } }'))
      .storage;
  await seed(databaseUrl);
  const before = await read();
  const start = performance.now();
  await ask('mutation { countStorage }');
  let report = await read();
  while (report.countedAt === before.countedAt || report.isCounting) {
    await wait(100);
    report = await read();
  }
  const counted = performance.now() - start;
  const took: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const now = performance.now();
    await read();
    took.push(performance.now() - now);
  }
  console.log(`${values.files} files: counted in ${(counted / 1_000).toFixed(1)} s`);
  console.log(`The report of ${report.parts.length} parts was read in ${median(took).toFixed(1)} ms.`);
}

await toTheEnd(main);
