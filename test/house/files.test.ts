import { posix } from 'node:path';
import { expect, test } from '@jest/globals';
import { filesBelow, read, sourceFiles } from './tree.ts';

const maxLines = 300;
const maxFiles = 25;

/** Folders whose files are entries of one list, in which a large number is no disorder. */
const isList = (folder: string): boolean =>
  folder === 'src/enrichers' || folder.startsWith('src/automation/operations/');

/** Names that two files export, with the reason. */
const exceptions: Readonly<Record<string, string>> = {};

/** Groups files by a key. */
function grouped(pairs: ReadonlyArray<readonly [key: string, file: string]>): Map<string, string[]> {
  const groups = new Map<string, string[]>();
  for (const [key, file] of pairs) groups.set(key, [...(groups.get(key) ?? []), file]);
  return groups;
}

const declaration =
  /^export (?:declare |abstract |async )*(?:const|let|function\*?|class|interface|type|enum) (\w+)/gm;
const list = /^export (?:type )?\{([^}]*)\}/gm;

/** The names that a file exports; `export *` makes lists of operations and enrichers, and gives no names. */
function exportsOf(file: string): Set<string> {
  const text = read(file);
  const declared = [...text.matchAll(declaration)].map(([, name = '']) => name);
  const listed = [...text.matchAll(list)]
    .flatMap(([, names = '']) => names.split(','))
    .map(
      (name) =>
        name
          .trim()
          .split(/ as |^type /)
          .at(-1) ?? '',
    );
  return new Set([...declared, ...listed].filter(Boolean));
}

/** The sources of the console, without what is generated. */
const consoleSources = filesBelow('web').filter(
  (file) => /\.(ts|tsx)$/.test(file) && file !== 'web/src/graphql/operations.ts',
);

const testFiles = filesBelow('test').filter((file) => file.endsWith('.ts'));

test(`No file of src, web and test has more than ${maxLines} lines`, () => {
  const long = [...sourceFiles, ...consoleSources, ...testFiles].filter(
    (file) => read(file).split('\n').length - 1 > maxLines,
  );
  expect(long).toEqual([]);
});

test(`No folder of src has more than ${maxFiles} files`, () => {
  const folders = grouped(sourceFiles.map((file) => [posix.dirname(file), file]));
  const large = [...folders].filter(([folder, files]) => files.length > maxFiles && !isList(folder));
  expect(large.map(([folder]) => folder)).toEqual([]);
});

test('No name is exported from two files of src', () => {
  const names = grouped(
    sourceFiles.flatMap((file) => [...exportsOf(file)].map((name) => [name, file] as const)),
  );
  const repeated = [...names].filter(([, files]) => files.length > 1).map(([name]) => name);
  expect(repeated.sort()).toEqual(Object.keys(exceptions).sort());
});
