import { cp, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { ask, processSettings, serve } from './db/processes.ts';
import { newFolder } from './support/folder.ts';

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

test('the container image has every file that a server reads', async () => {
  await using own = await processSettings();
  await using server = await serve(own.settings, await imageFolder());
  const addresses = ['openapi.json', 'directory/nature', 'config/types', 'path/default-domain'];
  const answers = await Promise.all(addresses.map((address) => ask(server.url, `/api/v1/${address}`)));
  const icon = await ask(server.url, '/icons/annotation.svg');
  expect([...answers, icon].map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
});
