import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { atEnd, toTheEnd } from './closing.ts';
import { authorization, embeddedUrl, isIndexed, startOurs } from './ours.ts';
import { type Postgres, startPostgres, versionOf } from './postgres.ts';
import { type Running, startRival } from './processes.ts';
import { findReleases, type Release } from './releases.ts';
import { preparePlainDesign } from './rival-prisma/start.ts';
import { type Compared, type Competitor, compare, embeddedRows, newFile, type Plan, rows } from './rows.ts';
import { readAll, seedOurs, seedRival } from './seed.ts';
import { measureStarts } from './startup.ts';
import { type ReleaseMeasurements, report, writeReport } from './table.ts';

const usual = { rounds: 5, seconds: 5, warmUp: 3, starts: 5 };
const quick = { rounds: 2, seconds: 2, warmUp: 1, starts: 1 };
const document = new URL('../docs/performance.md', import.meta.url);

const parts = [...rows.map(({ key }) => key), 'embedded', 'start'];

interface Options {
  readonly only: readonly string[];
  readonly isWriting: boolean;
  readonly plan: Plan & { readonly starts: number };
  /** Major versions of Node, or paths of Node executables. */
  readonly releases: readonly string[];
}

/** Parses the command-line options. @throws Error if an option or a part is unknown */
function readOptions(): Options {
  const options = {
    quick: { type: 'boolean' },
    write: { type: 'boolean' },
    only: { type: 'string' },
    node: { type: 'string', default: '20,24' },
  } as const;
  const { values } = parseArgs({ options });
  const only = values.only?.split(',') ?? parts;
  const unknown = only.filter((part) => !parts.includes(part));
  if (unknown.length > 0)
    throw new Error(`--only: "${unknown.join(', ')}" is not one of ${parts.join(', ')}`);
  if (values.write && (values.quick || values.only))
    throw new Error('--write requires a complete run, without --only');
  return {
    only,
    isWriting: values.write === true,
    plan: values.quick ? quick : usual,
    releases: values.node.split(','),
  };
}

const progress = (text: string): void => console.error(text);

/**
 * Sends the POST request of the row `create`. The hand-written server builds its entities from the response.
 */
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

/** The maximum time for the search index to catch up after a round, in seconds. */
const indexLag = 5;

/** Waits until the search index contains all inserted documents. @throws Error if that takes too long */
async function catchUp(base: string): Promise<void> {
  if (!(await isIndexed(base, 120))) throw new Error('The search index has not caught up.');
}

function competitor(name: string, { pid, url }: Running): Competitor {
  const base = `${url}/api/v1`;
  const settle = async (): Promise<void> => {
    if (!(await isIndexed(base, indexLag)))
      throw new Error(`the search index is still behind after ${indexLag} s`);
  };
  return { name, pid, base, headers: { authorization }, settle };
}

/** The conditions under which all Node releases are measured. */
interface Bench {
  readonly options: Options;
  readonly postgres: Postgres;
  readonly folder: string;
  /** The database that contains the documents. Nothing is connected to it, so it can be copied. */
  readonly laid: string;
  readonly startPlainDesign: Awaited<ReturnType<typeof preparePlainDesign>>;
}

/** Inserts the documents once. Each server later gets a copy of the database. */
async function layDocuments(postgres: Postgres, folder: string): Promise<string> {
  progress('creating 20,400 documents');
  const databaseUrl = await postgres.createDatabase();
  const migrating = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: join(folder, 'laid') });
  await migrating.stop();
  await seedOurs(databaseUrl);
  return databaseUrl;
}

/** Compares servers with the same documents in the selected rows, and then stops all of them. */
async function compareRows(bench: Bench, ours: Running, { program }: Release): Promise<Compared[]> {
  const { options, postgres, laid, startPlainDesign } = bench;
  const wanted = rows.filter(({ key }) => options.only.includes(key));
  const isWanted = (name: string) => wanted.some(({ goals }) => name in goals);
  const first = competitor('Quire', ours);
  const documents = await readAll(first.base);
  await catchUp(first.base);
  const servers = [first];
  const running: Running[] = [];
  if (isWanted('hand-written')) {
    const rivalUrl = await postgres.createDatabase();
    await seedRival(rivalUrl, documents);
    const settings = { DATABASE_URL: rivalUrl, CREATED: await createOne(first.base) };
    const rival = await startRival(new URL('rival.ts', import.meta.url), settings, program);
    running.push(rival);
    servers.push({ name: 'hand-written', pid: rival.pid, base: rival.url, headers: {} });
  }
  for (const form of ['yoga', 'execute'] as const) {
    if (!isWanted(form)) continue;
    const rival = await startPlainDesign(form, await postgres.createDatabase(laid), program);
    running.push(rival);
    servers.push({ name: form, pid: rival.pid, base: `${rival.url}/api/v1`, headers: {} });
  }
  const compared: Compared[] = [];
  for (const row of wanted) {
    progress(row.name);
    compared.push(await compare(row, { servers, documents }, options.plan));
  }
  await Promise.all(running.map(({ stop }) => stop()));
  return compared;
}

/** Compares Quire on the embedded PostgreSQL with Quire on a PostgreSQL server, and then stops both. */
async function compareEmbedded(
  { options, postgres, laid, folder }: Bench,
  { program, version }: Release,
): Promise<{ version: string; compared: Compared[] }> {
  progress('creating 20,400 documents in the embedded database');
  const [dataDir, besideDir] = [join(folder, `embedded-${version}`), join(folder, `beside-${version}`)];
  const embedded = await startOurs({ DATA_DIR: dataDir }, { node: program });
  const embeddedDatabase = embeddedUrl(dataDir);
  await seedOurs(embeddedDatabase);
  const databaseUrl = await postgres.createDatabase(laid);
  const server = await startOurs({ DATABASE_URL: databaseUrl, DATA_DIR: besideDir }, { node: program });
  const servers = [competitor('embedded', embedded), competitor('server', server)] as const;
  const documents = await readAll(servers[0].base);
  for (const { base } of servers) await catchUp(base);
  const ofEmbedded = await versionOf(embeddedDatabase);
  const compared: Compared[] = [];
  for (const row of embeddedRows) {
    progress(`${row.name}, embedded`);
    compared.push(await compare(row, { servers, documents }, options.plan));
  }
  await Promise.all([embedded.stop(), server.stop()]);
  return { version: ofEmbedded, compared };
}

/** Measures the selected parts with one Node release. */
async function measureRelease(
  bench: Bench,
  release: Release,
): Promise<ReleaseMeasurements & { readonly embeddedVersion?: string }> {
  const { options, postgres, laid, folder } = bench;
  progress(`Node ${release.version}`);
  const isComparing = rows.some(({ key }) => options.only.includes(key));
  const settings = {
    DATABASE_URL: await postgres.createDatabase(laid),
    DATA_DIR: join(folder, `server-${release.version}`),
  };
  let compared: Compared[] = [];
  if (isComparing) {
    const ours = await startOurs(settings, { node: release.program });
    compared = await compareRows(bench, ours, release);
    await ours.stop();
  }
  const embedded = options.only.includes('embedded') ? await compareEmbedded(bench, release) : undefined;
  const isStarting = options.only.includes('start');
  if (isStarting) progress('starting Quire on its databases');
  const runs = { settings, folder, runs: options.plan.starts, node: release.program };
  return {
    version: release.version,
    compared,
    embedded: embedded?.compared ?? [],
    starts: isStarting ? await measureStarts(runs) : [],
    ...(embedded && { embeddedVersion: embedded.version }),
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  const folder = await mkdtemp(join(tmpdir(), 'quire-bench-'));
  atEnd(() => rm(folder, { recursive: true, force: true }));
  // If root starts the embedded database, it runs as another user. That user must be able to enter the folder;
  // otherwise the database would be created elsewhere and not be deleted with the folder.
  await chmod(folder, 0o711);
  const found = await findReleases(options.releases);
  progress('starting PostgreSQL and Quire');
  const postgres = await startPostgres();
  const laid = await layDocuments(postgres, folder);
  const bench = { options, postgres, folder, laid, startPlainDesign: await preparePlainDesign(folder) };
  const releases = [];
  for (const release of found) releases.push(await measureRelease(bench, release));
  const versions = { server: postgres.version, embedded: releases[0]?.embeddedVersion };
  const text = report({ versions, releases });
  console.log(`\n${text}`);
  if (options.isWriting) await writeReport(document, text);
}

await toTheEnd(main);
