/** @group slow, every-database, long */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import sharp from 'sharp';
import { ask, printing, run, serve, useProcessSettings } from './db/processes.ts';
import { newFolder } from './support/folder.ts';
import { scriptsIn } from './support/loaded-scripts.ts';
import { use } from './support/use.ts';

const root = fileURLToPath(new URL('../', import.meta.url));

jest.setTimeout(300_000); // The product is built and installed, which takes minutes on a busy machine.

/**
 * The installable product, packed as `npm run package` does it and installed into an empty folder. The container image
 * is made of the same package.
 */
async function install(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true }); // of an attempt that failed
  await mkdir(folder);
  const copy = join(folder, 'project');
  const run = promisify(execFile);
  const isSource = (path: string): boolean =>
    !/^(\.git|node_modules|data|coverage|src\/generated|dist)(\/|$)/.test(relative(root, path));
  await cp(root, copy, { recursive: true, filter: isSource });
  await symlink(join(root, 'node_modules'), join(copy, 'node_modules'));
  await run('npm', ['run', 'package', folder], { cwd: copy });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const options = ['--no-audit', '--no-fund', '--prefer-offline'];
  const empty = join(folder, 'empty');
  await mkdir(empty);
  // Without --prefix, npm installs into the nearest parent folder that has a node_modules folder.
  const tarball = join(folder, `quire-server-${version}.tgz`);
  await run('npm', ['install', '--prefix', empty, ...options, tarball], { cwd: empty });
}

/**
 * The folder of the installed product. .ci/run names a folder in TEST_PRODUCT that keeps it for the next release of
 * Node, since building and installing does not depend on the release.
 */
async function installed(): Promise<string> {
  const folder = process.env.TEST_PRODUCT ?? newFolder();
  const product = join(folder, 'empty/node_modules/quire-server');
  if (!existsSync(product)) await install(folder);
  return product;
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
let folder: string;
const server = use(async () => {
  folder = await installed();
  return serve({ ...settings, NODE_V8_COVERAGE: coverage, NODE_OPTIONS: `--import ${preload}` }, folder);
});

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
    ['GraphiQL', '/dist/graphql/graphiql.js'],
    ['the description of the interface', '/dist/openapi/description.js'],
    ['Prisma’s command line', '/node_modules/prisma/'],
    ['packages of Prisma of which the build includes a part', '/@prisma/client'],
    ['modules of the import', '/node_modules/file-type/'],
    ['the client of directories', '/node_modules/ldapts/'],
    ['the client of OpenID Connect providers', '/node_modules/openid-client/'],
    ['the parser of queries', '/dist/query/parse.js'],
    ['the compiler of queries', '/dist/query/compile.js'],
    ['the host of the embedded database', '/dist/embedded/host.js'],
  ])('%s', (_, part) => expect(among(part)).toEqual([]));
});

test.each([
  '/node_modules/pg/',
  '/@prisma/adapter-pg/',
  '/node_modules/express/',
  '/dist/generated/prisma/client.js',
])('an idle server has loaded the code that every request needs: %s', (part) =>
  expect(among(part)).not.toEqual([]),
);

const statusOf = async (path: string, init?: RequestInit): Promise<number> =>
  (await ask(server.url, path, init)).status;

describe('the installed product', () => {
  test.each([
    '/',
    '/docs',
    '/icons/annotation.svg',
    '/api/v1/openapi.json',
    '/api/v1/directory/nature',
    '/api/v1/config/types',
  ])('answers %s', async (path) =>
    expect(
      await statusOf(path, { headers: { accept: path.startsWith('/api/') ? '*/*' : 'text/html,*/*' } }),
    ).toBe(200),
  );

  test('answers a document with enrichers', async () => {
    const headers = { 'enrichers-document': 'breadcrumb, acls, permissions, thumbnail' };
    const answer = await ask(server.url, '/api/v1/path/default-domain/workspaces', { headers });
    const { contextParameters } = (await answer.json()) as { contextParameters: Record<string, unknown> };
    expect(Object.keys(contextParameters).sort()).toEqual(['acls', 'breadcrumb', 'permissions', 'thumbnail']);
  });

  test('executes GraphQL, and shows GraphiQL', async () => {
    const query = encodeURIComponent('{ document(path: "/default-domain") { title } }');
    const answer = await ask(server.url, `/graphql?query=${query}`, {
      headers: { accept: 'application/json' },
    });
    expect(await answer.json()).toEqual({ data: { document: { title: 'Domain' } } });
    const page = await ask(server.url, '/graphql', { headers: { accept: 'text/html' } });
    expect(await page.text()).toContain('YogaGraphiQL.renderYogaGraphiQL(');
  });

  test('stores a picture, and shows its thumbnail', async () => {
    const picture = await sharp({ create: { width: 400, height: 300, channels: 3, background: 'red' } })
      .png()
      .toBuffer();
    const document = { 'entity-type': 'document', type: 'Picture', name: 'red', properties: {} };
    const parent = '/api/v1/path/default-domain/workspaces';
    expect(await statusOf(parent, { method: 'POST', body: JSON.stringify(document) })).toBe(201);
    const stored = await ask(server.url, `${parent}/red/@blob/file:content`, {
      method: 'PUT',
      headers: { 'Content-Type': 'image/png', 'X-File-Name': 'red.png' },
      body: new Uint8Array(picture),
    });
    expect(stored.ok).toBe(true);
    const thumbnail = await ask(server.url, `${parent}/red/@rendition/thumbnail`);
    expect(thumbnail.status).toBe(200);
    expect(thumbnail.headers.get('content-type')).toMatch(/^image\//);
  });

  test('lists the packages that it consists of, with versions, hashes and licenses (CycloneDX)', async () => {
    const bom = JSON.parse(await readFile(join(folder, 'sbom.cdx.json'), 'utf8'));
    const { name, version } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    expect(bom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { name, version } } });
    const refs: ReadonlySet<string> = new Set(
      bom.components.map((each: { 'bom-ref': string }) => each['bom-ref']),
    );
    const { packages } = JSON.parse(await readFile(join(folder, 'npm-shrinkwrap.json'), 'utf8')) as {
      packages: Record<string, { version: string }>;
    };
    const installed = Object.entries(packages)
      .filter(([path]) => path !== '')
      .map(([path, locked]) => `${path.replace(/^.*node_modules\//, '')}@${locked.version}`);
    expect(installed.length).toBeGreaterThan(200);
    expect(installed.filter((ref) => !refs.has(ref))).toEqual([]);
    expect([...refs].filter((ref) => /^(react-dom|mammoth|@prisma\/client)@/.test(ref))).toHaveLength(3);
    expect([...refs].filter((ref) => /^(jest|vite|typescript|supertest)@/.test(ref))).toEqual([]);
    for (const { licenses, hashes } of bom.components) {
      expect(licenses.length).toBeGreaterThan(0);
      expect(hashes.length).toBeGreaterThan(0);
    }
    const page = await readFile(join(folder, 'DEPENDENCIES.md'), 'utf8');
    const texts = await readFile(join(folder, 'dist/web/licenses.md'), 'utf8');
    for (const each of ['`react-dom`', '`mammoth`']) expect(page).toContain(each);
    expect(texts).toContain('Permission is hereby granted');
  });

  test('takes at most 320 packages and 290 MB, as npm installs it', async () => {
    const modules = join(folder, '..');
    const { packages } = JSON.parse(await readFile(join(modules, '.package-lock.json'), 'utf8'));
    expect(Object.keys(packages).length).toBeLessThanOrEqual(320);
    const entries = await readdir(modules, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const sizes = await Promise.all(
      files.map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size),
    );
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(290e6);
  });

  test('has the commands', async () => {
    const help = run('bin/quire.js', {}, ['--help'], folder);
    expect(await help.ended).toEqual({ code: 0, signal: null });
    expect(help.printed.out).toContain('Usage: quire');
    for (const args of [['check'], ['backup', join(newFolder(), 'all.tar')]]) {
      const { ended, printed } = run('bin/quire.js', { ...settings }, args, folder);
      expect({ ...(await ended), err: printed.err }).toMatchObject({ code: 0 });
    }
  });

  test('writes an extension whose own tests pass', async () => {
    const place = newFolder();
    const node = (args: string[], cwd: string) => promisify(execFile)(process.execPath, args, { cwd });
    const create = (quire: string) =>
      node([join(folder, 'bin/quire.js'), 'create-extension', 'demo', '--quire', quire], place);
    await expect(create('./none.tgz')).rejects.toThrow(`--quire: ${join(place, 'none.tgz')} does not exist.`);
    await writeFile(join(place, 'some.tgz'), '');
    await create('./some.tgz');
    const demo = join(place, 'demo');
    const manifest = JSON.parse(await readFile(join(demo, 'package.json'), 'utf8'));
    expect(manifest.devDependencies['quire-server']).toBe(join(place, 'some.tgz'));
    await mkdir(join(demo, 'node_modules'));
    await symlink(folder, join(demo, 'node_modules/quire-server'));
    expect((await node(['--test'], demo)).stdout).toMatch(/pass 3\n[\s\S]*fail 0\n/);
    await expect(create('^1.0')).rejects.toThrow(/demo exists\. Choose another name or folder\./);
  });

  test('prints the command that adds Prisma Studio', async () => {
    const { ended, printed } = run('bin/quire.js', { ...settings }, ['studio', '--port', '25555'], folder);
    expect(await ended).toMatchObject({ code: 1 });
    expect(printed.err).toMatch(/^Prisma Studio is not installed\. .*: npm install prisma@[\d.]+\n$/);
  });
});
