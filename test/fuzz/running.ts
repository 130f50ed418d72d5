import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import type { BlobStore } from '../../src/blobs/blob-store.ts';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { start as startApp } from '../../src/start.ts';
import { stockedDatabase } from '../support/database.ts';

/** How many requests are made up: a few in the suite, many by `npm run fuzz`. */
export const runs = Number(process.env.FUZZ_RUNS ?? 1_000);

/** What a failure prints; with FUZZ_SEED the same requests are made again. */
export const seed = process.env.FUZZ_SEED === undefined ? undefined : Number(process.env.FUZZ_SEED);

/** Long enough for that many requests on a busy machine, in milliseconds. */
export const patience = 60_000 + runs * 100;

/** The whole application behind a port: what is sent here is no request that a client library would send. */
export interface FuzzedServer {
  readonly port: number;
  readonly database: Database;
  readonly blobs: BlobStore;
  /** Lines of the log that tell of a fault of ours, since the last call. */
  readonly faults: () => string[];
  readonly stop: () => Promise<void>;
}

/** Starts the application on a database of its own. */
export async function startFuzzed(): Promise<FuzzedServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'quire-fuzz-'));
  const { database } = await stockedDatabase();
  const found: string[] = [];
  const write = (line: string) => {
    const { level, category } = JSON.parse(line) as { level: number; category?: string };
    // What somebody had written there, by the operation Log, is no fault.
    if (level >= 50 && category === undefined) found.push(line);
  };
  const { app, blobs, journal, executing } = await startApp(
    readConfig({ DATA_DIR: dataDir, LOGIN_FAILURES: '1000000' }),
    database,
    {
      log: pino({ level: 'debug' }, { write }),
      isReady: () => true,
    },
  );
  const server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    ...{ database, blobs, port: (server.address() as AddressInfo).port },
    faults: () => found.splice(0),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await executing.close(0);
      await journal.close();
      await database.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Changes whenever a row of any table is written, and at no other time. */
export async function fingerprint({ database }: Pick<FuzzedServer, 'database'>): Promise<string> {
  const tables = [
    ...['document', 'document_blob', 'directory_entry', 'directory', '"user"'],
    ...['upload_batch', 'upload_file', 'upload_chunk'],
  ];
  const parts = tables.map((name) => `(SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM ${name})`);
  return JSON.stringify(await database.prisma.$queryRawUnsafe(`SELECT concat_ws(', ', ${parts.join(', ')})`));
}
