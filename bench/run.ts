import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, embeddedUrl, isIndexed, startOurs } from './ours.ts';
import { type Postgres, startPostgres, versionOf } from './postgres.ts';
import { type Running, startNode } from './processes.ts';
import { type Compared, type Competitor, compare, embeddedRows, newFile, rows } from './rows.ts';
import { readAll, seedOurs, seedRival } from './seed.ts';
import { measureStarts } from './startup.ts';
import { report, writeReport } from './table.ts';

const usual = { rounds: 5, seconds: 5, warmUp: 3, starts: 5 };
const quick = { rounds: 2, seconds: 2, warmUp: 1, starts: 1 };
const document = new URL('../docs/performance.md', import.meta.url);

const parts = [...rows.map(({ key }) => key), 'embedded', 'start'];

/** @throws Error on an option that is none, or a part that is none. */
function readOptions() {
  const options = {
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string' },
  } as const;
  const { values } = parseArgs({ options });
  const only = values.only?.split(',') ?? parts;
  const unknown = only.filter((part) => !parts.includes(part));
  if (unknown.length > 0) throw new Error(`--only: ${unknown.join(', ')} is none of ${parts.join(', ')}`);
  if (values.write && (values.quick || values.only)) throw new Error('--write wants a whole run');
  return { only, isWriting: values.write === true, plan: values.quick ? quick : usual };
}

const progress = (text: string): void => console.error(text);

/** What a POST of the row `create` answers: the rival fills its rows from it. */
async function createOne(base: string): Promise<string> {
  const headers = { authorization, 'content-type': 'application/json' };
  const response = await fetch(`${base}/path/default-domain/workspaces`, {
    method: 'POST',
    headers,
    body: newFile(),
  });
  if (response.status !== 201) throw new Error(`POST: ${response.status} ${await response.text()}`);
  return response.text();
}

/** Seconds after the end of a round in which the index has caught up. */
const indexLag = 5;

function competitor(name: string, { pid, url }: Running): Competitor {
  const base = `${url}/api/v1`;
  const settle = async (): Promise<void> => {
    if (!(await isIndexed(base, indexLag))) throw new Error(`the index is ${indexLag} s behind`);
  };
  return { name, pid, base, headers: { authorization }, settle };
}

const rivalProgram = ['--import', 'tsx', fileURLToPath(new URL('rival.ts', import.meta.url))];

/** Compares the rows that are wanted, on the same documents; both servers are gone afterwards. */
async function compareRows(
  postgres: Postgres,
  started: { readonly ours: Running; readonly databaseUrl: string },
  { only, plan }: ReturnType<typeof readOptions>,
): Promise<Compared[]> {
  const { ours, databaseUrl } = started;
  const base = `${ours.url}/api/v1`;
  progress('laying 20,400 documents, twice');
  await seedOurs(databaseUrl);
  const all = await readAll(base);
  const rivalUrl = await postgres.createDatabase();
  await seedRival(rivalUrl, all);
  const CREATED = await createOne(base);
  const rival = await startNode(rivalProgram, { DATABASE_URL: rivalUrl, CREATED });
  const pair: readonly [Competitor, Competitor] = [
    competitor('ours', ours),
    { name: 'rival', pid: rival.pid, base: rival.url, headers: {} },
  ];
  const compared: Compared[] = [];
  for (const row of rows.filter(({ key }) => only.includes(key))) {
    progress(row.name);
    compared.push(await compare(row, pair, all, plan));
  }
  await rival.stop();
  return compared;
}

/** Compares ours on the embedded PostgreSQL with ours on a server; both are gone afterwards. */
async function compareEmbedded(
  postgres: Postgres,
  folder: string,
  { plan }: ReturnType<typeof readOptions>,
): Promise<{ version: string; compared: Compared[] }> {
  progress('laying 20,400 documents in the embedded database, and on the server');
  const [dataDir, besideDir] = [join(folder, 'embedded-rows'), join(folder, 'server-rows')];
  const embedded = await startOurs({ DATA_DIR: dataDir });
  const embeddedDatabase = embeddedUrl(dataDir);
  const databaseUrl = await postgres.createDatabase();
  const server = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: besideDir });
  for (const url of [embeddedDatabase, databaseUrl]) await seedOurs(url);
  const version = await versionOf(embeddedDatabase);
  const pair = [competitor('embedded', embedded), competitor('server', server)] as const;
  const all = await readAll(pair[0].base);
  const compared: Compared[] = [];
  for (const row of embeddedRows) {
    progress(`${row.name}, embedded`);
    compared.push(await compare(row, pair, all, plan));
  }
  await Promise.all([embedded.stop(), server.stop()]);
  return { version, compared };
}

async function main(): Promise<void> {
  const options = readOptions();
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  // Else the embedded database of root, which runs under another user, lies outside of it, and stays.
  await chmod(folder, 0o711);
  progress('starting PostgreSQL and Quire');
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase();
  const ours = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'server') });

  const isComparing = rows.some(({ key }) => options.only.includes(key));
  const compared = isComparing ? await compareRows(postgres, { ours, databaseUrl }, options) : [];
  await ours.stop();
  const besideServer = options.only.includes('embedded')
    ? await compareEmbedded(postgres, folder, options)
    : undefined;
  const isStarting = options.only.includes('start');
  if (isStarting) progress('starting Quire on its databases');
  const starts = isStarting ? await measureStarts(databaseUrl, folder, options.plan.starts) : [];

  const text = report({
    versions: { server: postgres.version, embedded: besideServer?.version },
    compared,
    embedded: besideServer?.compared ?? [],
    starts,
  });
  console.log(`\n${text}`);
  if (options.isWriting) await writeReport(document, text);
}

await toTheEnd(main);
