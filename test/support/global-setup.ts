import { execFile } from 'node:child_process';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { loadModel } from '../../src/model/contributed/contributed.ts';
import { hashPassword } from '../../src/store/authorities/passwords.ts';
import { createStockContent } from '../../src/store/stock/stock-content.ts';
import { isOnServer, makeTemplate } from './database.ts';
import { runFolder } from './folder.ts';

declare global {
  var removeTemplate: (() => Promise<void>) | undefined;
}

const root = fileURLToPath(new URL('../../', import.meta.url));

/** As `npm run build` does it, for tests of processes to run what `npm start` runs; types are for `npm run check`. */
async function build(): Promise<void> {
  const run = promisify(execFile);
  const compiler = join(root, 'node_modules/.bin/tsc');
  await run(compiler, ['-p', 'tsconfig.build.json', '--noCheck'], { cwd: root });
  if (!isOnServer) await run(process.execPath, [join(root, 'dist/cli/prepare.js')]);
}

/** Builds the programs, and lays the stock content once; every test file starts from a copy. */
export default async function globalSetup(): Promise<void> {
  process.env[runFolder] = await mkdtemp(join(tmpdir(), 'quire-test-'));
  await build();
  globalThis.removeTemplate = await makeTemplate(async (database) => {
    await database.migrate();
    await createStockContent(database, await loadModel(undefined), {
      repositories: ['default'],
      administrator: { username: 'Administrator', password: 'Administrator' },
      hash: hashPassword,
    });
  });
}
