import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export const read = (file: string): string => readFileSync(join(root, file), 'utf8');

/** The files below a folder that are, or are to be, in the repository. */
export const filesBelow = (folder: string): string[] =>
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', folder], { cwd: root })
    .toString()
    .split('\n')
    .filter((file) => file !== '' && existsSync(join(root, file)));

/** Every file of TypeScript in `src` that is not generated. */
export const sourceFiles = filesBelow('src').filter(
  (file) => /\.ts$/.test(file) && !file.startsWith('src/generated/'),
);

/** The folder or root file of `src` that a file belongs to: `model/`, `app.ts`. */
export function layerOf(file: string): string {
  const [, first = '', ...rest] = file.split('/');
  return rest.length > 0 ? `${first}/` : first;
}

/** The files that a file imports, by types too. */
export const importsOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:\bfrom |\bimport\(|^import )'(\.[^']+)'/gm)].map(([, path = '']) =>
    posix.join(posix.dirname(file), path),
  );

/** The packages that a file imports, by types too: `graphql` also for `graphql/language`. */
export const packagesOf = (file: string): string[] =>
  [...read(file).matchAll(/(?:\bfrom |\bimport\(|^import )'([^.'][^/']*)/gm)].map(([, name = '']) => name);
