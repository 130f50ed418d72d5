/** @group slow */
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { ask, printing, serve, useProcessSettings } from './db/processes.ts';
import { newFolder } from './support/folder.ts';
import { scriptsIn } from './support/loaded-scripts.ts';
import { use } from './support/use.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

/** A folder with what the image has of the build, and nothing else of this project. */
async function imageFolder(): Promise<string> {
  const dockerfile = await readFile(join(root, 'Dockerfile'), 'utf8');
  const copied = [...dockerfile.matchAll(/^COPY --from=build (.*) \S+$/gm)]
    .flatMap(([, sources = '']) => sources.split(' '))
    .map((source) => source.replace('/app/', ''));
  expect(copied).toContain('dist');
  const folder = newFolder();
  for (const path of copied) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    if (path === 'node_modules') await symlink(join(root, path), join(folder, path));
    else await cp(join(root, path), join(folder, path), { recursive: true });
  }
  return folder;
}

/** Has a process write which scripts it has loaded when it gets a signal, not at its end alone. */
const preload = join(newFolder(), 'preload.mjs');
await writeFile(
  preload,
  `import { takeCoverage } from 'node:v8';
   process.on('SIGWINCH', () => {
     takeCoverage();
     console.log('taken');
   });`,
);

const coverage = newFolder();
const settings = useProcessSettings();
const server = use(async () =>
  serve(
    { ...settings, NODE_V8_COVERAGE: coverage, NODE_OPTIONS: `--import ${preload}` },
    await imageFolder(),
  ),
);

let loaded: readonly string[];
beforeAll(async () => {
  expect((await fetch(`${server.url}/health/live`)).status).toBe(200);
  server.child.kill('SIGWINCH');
  await printing(server, /taken/);
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

test('the container image has every file that a server reads', async () => {
  const addresses = ['openapi.json', 'directory/nature', 'config/types', 'path/default-domain'];
  const answers = await Promise.all(addresses.map((address) => ask(server.url, `/api/v1/${address}`)));
  const icon = await ask(server.url, '/icons/annotation.svg');
  expect([...answers, icon].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
