import { startServer, type TestServer } from '../support/server.ts';

/** How many requests are made up: a few in the suite, many by `npm run fuzz`. */
export const runs = Number(process.env.FUZZ_RUNS ?? 200);

/** What a failure prints; with FUZZ_SEED the same requests are made again. */
export const seed = process.env.FUZZ_SEED === undefined ? undefined : Number(process.env.FUZZ_SEED);

/** Long enough for that many requests on a busy machine, in milliseconds. */
export const patience = 60_000 + runs * 100;

/** The whole application behind a port: what is sent here is no request that a client library would send. */
export interface FuzzedServer extends TestServer {
  readonly port: number;
  /** Lines of the log that tell of a fault of ours, since the last call. */
  readonly faults: () => string[];
}

/** Starts the application on a database of its own. */
export async function startFuzzed(): Promise<FuzzedServer> {
  const server = await startServer({ LOGIN_FAILURES: '1000000' });
  return {
    ...server,
    port: await server.listen(),
    // Entries written by the operation Log have a category and are no faults.
    faults: () =>
      server.logged
        .splice(0)
        .filter(({ level, category }) => Number(level) >= 50 && category === undefined)
        .map((line) => JSON.stringify(line)),
  };
}

/** Changes whenever a row of any table is written, and at no other time. */
export async function fingerprint({ database }: Pick<FuzzedServer, 'database'>): Promise<string> {
  const tables = [
    'document',
    'document_blob',
    'directory_entry',
    'directory',
    '"user"',
    'upload_batch',
    'upload_file',
    'upload_chunk',
  ];
  const parts = tables.map((name) => `(SELECT concat(count(*), ' ', sum(xmin::text::bigint)) FROM ${name})`);
  return JSON.stringify(await database.prisma.$queryRawUnsafe(`SELECT concat_ws(', ', ${parts.join(', ')})`));
}
