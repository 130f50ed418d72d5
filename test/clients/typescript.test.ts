/** @group slow */
import { execFile } from 'node:child_process';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, jest, test } from '@jest/globals';
import { newFolder } from '../support/folder.ts';
import { useServer } from '../support/server.ts';

jest.setTimeout(180_000);

const root = fileURLToPath(new URL('../../', import.meta.url));
const run = promisify(execFile);

const folder = newFolder();
const modules = join(folder, 'node_modules');

/** Builds the package and unpacks it as npm does, with the libraries of this project. */
beforeAll(async () => {
  await run(process.execPath, [join(root, 'dist/cli/make-client.js'), folder], { cwd: root });
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  await mkdir(join(modules, 'quire-client'), { recursive: true });
  const tarball = join(folder, `quire-client-${version}.tgz`);
  await run('tar', ['xzf', tarball, '-C', join(modules, 'quire-client'), '--strip-components=1']);
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await symlink(join(root, 'node_modules', name), join(modules, name));
  await writeFile(join(folder, 'package.json'), '{"type": "module"}');
});

/** Compiles a program as a user of the package would. @returns the messages of the compiler */
async function compile(name: string, text: string): Promise<string> {
  await writeFile(join(folder, `${name}.ts`), text);
  const options = ['--ignoreConfig', '--strict', '--module', 'nodenext', '--target', 'es2022', '--types', ''];
  const args = [
    join(root, 'node_modules/typescript/bin/tsc'),
    ...options,
    '--lib',
    'es2022,dom',
    `${name}.ts`,
  ];
  return run(process.execPath, args, { cwd: folder }).then(
    () => '',
    ({ stdout }: { stdout: string }) => stdout,
  );
}

const server = useServer();

describe('The package quire-client', () => {
  test('has the version of the server, its types and one dependency', async () => {
    const manifest = JSON.parse(await readFile(join(modules, 'quire-client/package.json'), 'utf8'));
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'quire-client', version, license: 'Apache-2.0' });
    expect(Object.keys(manifest.dependencies)).toEqual(['openapi-fetch']);
    for (const file of ['index.js', 'index.d.ts', 'schema.d.ts', 'README.md', 'LICENSE'])
      expect((await readFile(join(modules, 'quire-client', file), 'utf8')).length).toBeGreaterThan(100);
  });

  test('creates, reads, changes and deletes documents of a server, with checked types', async () => {
    const program = `
      import { createQuireClient } from 'quire-client';
      const [, , url = ''] = (globalThis as unknown as { process: { argv: string[] } }).process.argv;
      const quire = createQuireClient({ url, signIn: { username: 'Administrator', password: 'Administrator' } });
      const at = { path: { path: '/default-domain/workspaces' } };
      const created = await quire.POST('/path/{path}', {
        params: at,
        body: { 'entity-type': 'document', type: 'Note', name: 'été 50%', properties: { 'dc:title': 'Été' } },
      });
      const uid: string = created.data?.uid ?? '';
      const path = { path: 'default-domain/workspaces/été 50%' };
      const read = await quire.GET('/path/{path}', { params: { path, header: { properties: ['dublincore'] } } });
      const title: string | undefined = read.data?.title;
      const changed = await quire.PUT('/id/{id}', {
        params: { path: { id: uid } },
        body: { 'entity-type': 'document', properties: { 'dc:title': 'Hiver' } },
      });
      const removed = await quire.DELETE('/id/{id}', { params: { path: { id: uid } } });
      const missing = await quire.GET('/id/{id}', { params: { path: { id: uid } } });
      const message: string | undefined = missing.error?.message;
      const anonymous = await createQuireClient({ url: url + '/' }).GET('/me');
      const wrong = await createQuireClient({ url, signIn: { bearer: 'x' } }).GET('/me');
      console.log(JSON.stringify({
        created: created.response.status, title, same: read.data?.uid === uid, changed: changed.data?.title,
        removed: removed.response.status, missing: missing.response.status, message,
        anonymous: anonymous.response.status, wrong: wrong.response.status,
      }));`;
    expect(await compile('good', program)).toBe('');
    const url = `http://127.0.0.1:${await server.listen()}`;
    const { stdout } = await run(process.execPath, ['good.js', url], { cwd: folder });
    expect(JSON.parse(stdout)).toEqual({
      created: 201,
      title: 'Été',
      same: true,
      changed: 'Hiver',
      removed: 204,
      missing: 404,
      message: expect.stringMatching(/^There is no document with the id /),
      anonymous: 401,
      wrong: 401,
    });
  });

  test('does not compile with a call, a parameter or a property that the server does not have', async () => {
    const begin = `
      import { createQuireClient } from 'quire-client';
      const quire = createQuireClient({ url: '' });`;
    expect(await compile('call', `${begin} await quire.GET('/paths/{path}');`)).toMatch(/^call\.ts\(3,/);
    expect(
      await compile('parameter', `${begin} await quire.GET('/id/{id}', { params: { path: { uid: '' } } });`),
    ).toContain("'uid'");
    expect(
      await compile(
        'property',
        `${begin} const { data } = await quire.GET('/id/{id}', { params: { path: { id: '' } } });
         console.log(data?.titel);`,
      ),
    ).toContain("'titel'");
  });
});
