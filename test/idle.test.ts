import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { kill, serve, stockedSettings } from './db/processes.ts';
import { isOnServer } from './support/database.ts';

/** Starting a process on a database takes a while on a busy machine. */
const patience = 90_000;

let folder: string;
let loaded: readonly string[];

/** The addresses of all scripts that a process has loaded, which Node writes down for those who measure coverage. */
async function scriptsIn(coverage: string): Promise<string[]> {
  const files = await readdir(coverage);
  const reports = files.map(async (file) => JSON.parse(await readFile(join(coverage, file), 'utf8')));
  return (await Promise.all(reports)).flatMap(({ result }: { result: Array<{ url: string }> }) =>
    result.map(({ url }) => url),
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'quire-idle-'));
  const coverage = join(folder, 'coverage');
  const dataDir = join(folder, 'data');
  const { settings, drop } = await stockedSettings(dataDir);
  try {
    const server = await serve({ ...settings, DATA_DIR: dataDir, NODE_V8_COVERAGE: coverage });
    try {
      expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
      server.child.kill('SIGTERM');
      expect(await server.ended).toEqual({ code: 0, signal: null });
    } finally {
      await kill(server);
    }
  } finally {
    await drop();
  }
  loaded = await scriptsIn(coverage);
}, patience);
afterAll(() => rm(folder, { recursive: true, force: true }));

const among = (part: string): string[] => loaded.filter((url) => url.includes(part));

const embedded = ['/@electric-sql/pglite/', '/pglite-prisma-adapter/', '/dist/db/embedded.js'];
const server = ['/node_modules/pg/', '/@prisma/adapter-pg/', '/dist/db/server.js'];

describe('A server that nobody has asked anything yet has not loaded', () => {
  test.each([
    ['the schema engine: there is nothing to migrate', '/@prisma/schema-engine-wasm/'],
    ['the HTTP side of GraphQL: few ever ask it', '/graphql-yoga/'],
    ['GraphiQL', '/@graphql-yoga/render-graphiql/'],
    ['the description of the interface', '/dist/rest/openapi/'],
    ['the larger build of Prisma’s query compiler', '/query_compiler_fast_bg.'],
    ['Prisma’s command line', '/node_modules/prisma/'],
    ['what only the import needs', '/node_modules/file-type/'],
    ['the parser of queries', '/dist/query/parse.js'],
    ['what makes SQL of them', '/dist/query/compile.js'],
  ])('%s', (_, part) => expect(among(part)).toEqual([]));

  test.each(isOnServer ? embedded : server)('what belongs to the other kind of database: %s', (part) =>
    expect(among(part)).toEqual([]),
  );
});

test.each([...(isOnServer ? server : embedded), '/node_modules/express/', '/query_compiler_small_bg.'])(
  'it has loaded what it works with: %s',
  (part) => expect(among(part)).not.toEqual([]),
);
