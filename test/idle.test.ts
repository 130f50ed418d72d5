import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { processSettings, serve } from './db/processes.ts';
import { newFolder } from './support/folder.ts';

let loaded: readonly string[];

/** Returns the URLs of all scripts that a process has loaded, from the coverage data of Node. */
async function scriptsIn(coverage: string): Promise<string[]> {
  const files = await readdir(coverage);
  const reports = files.map(async (file) => JSON.parse(await readFile(join(coverage, file), 'utf8')));
  return (await Promise.all(reports)).flatMap(({ result }: { result: Array<{ url: string }> }) =>
    result.map(({ url }) => url),
  );
}

beforeAll(async () => {
  const coverage = newFolder();
  await using database = await processSettings({ isStocked: true });
  await using server = await serve({ ...database.settings, NODE_V8_COVERAGE: coverage });
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  server.child.kill('SIGTERM');
  expect(await server.ended).toEqual({ code: 0, signal: null });
  loaded = await scriptsIn(coverage);
});

const among = (part: string): string[] => loaded.filter((url) => url.includes(part));

describe('an idle server has not loaded', () => {
  test.each([
    ['the schema engine, which only tests use', '/@prisma/schema-engine-wasm/'],
    ['the HTTP side of GraphQL', '/graphql-yoga/'],
    ['GraphiQL', '/@graphql-yoga/render-graphiql/'],
    ['the description of the interface', '/dist/openapi/description.js'],
    ['the larger build of Prisma’s query compiler', '/query_compiler_fast_bg.'],
    ['Prisma’s command line', '/node_modules/prisma/'],
    ['modules of the import', '/node_modules/file-type/'],
    ['the parser of queries', '/dist/query/parse.js'],
    ['the compiler of queries', '/dist/query/compile.js'],
    ['the fallback of the embedded database', '/@electric-sql/pglite/'],
    ['the host of the embedded database', '/dist/embedded/host.js'],
  ])('%s', (_, part) => expect(among(part)).toEqual([]));
});

test.each([
  '/node_modules/pg/',
  '/@prisma/adapter-pg/',
  '/node_modules/express/',
  '/query_compiler_small_bg.',
])('an idle server has loaded the code that every request needs: %s', (part) =>
  expect(among(part)).not.toEqual([]),
);
