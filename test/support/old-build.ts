import { execFileSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** Runs Git in this project and returns its output. @throws Error if Git fails, for example without a repository */
export const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Whether the history contains a commit. A shallow clone lacks the older ones. */
export function hasCommit(commit: string): boolean {
  try {
    git('cat-file', '-e', `${commit}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

/** Writes the sources of a commit into an empty folder. */
export function writeSources(commit: string, folder: string): void {
  const archive = execFileSync('git', ['archive', commit], { cwd: root, maxBuffer: 2 ** 30 });
  execFileSync('tar', ['-xf', '-'], { cwd: folder, input: archive });
}

/** Writes the sources of a commit into an empty folder, and compiles them with the packages of this project. */
export function buildCommit(commit: string, folder: string): void {
  writeSources(commit, folder);
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const node = (...args: string[]) => execFileSync(process.execPath, args, { cwd: folder });
  node('node_modules/prisma/build/index.js', 'generate', '--no-hints');
  node('node_modules/typescript/bin/tsc', '-p', 'tsconfig.build.json', '--noCheck');
}
