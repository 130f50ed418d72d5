import { expect, test } from '@jest/globals';
import { read, sourceFiles } from './tree.ts';

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

test('no name is exported by two files of src', () => {
  const names = grouped(
    sourceFiles.flatMap((file) => [...exportsOf(file)].map((name) => [name, file] as const)),
  );
  const repeated = [...names].filter(([, files]) => files.length > 1).map(([name]) => name);
  expect(repeated).toEqual([]);
});
