import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { filesBelow, read, root, rowsBehind } from './tree.ts';

const layers = ['model', 'loaders', 'store', 'automation', 'schema', 'rest'];

/** The folders directly below the folders of `src` or `test`, and those of operations: `store/documents`. */
const foldersOf = (top: 'src' | 'test'): string[] => {
  const found = filesBelow(top)
    .filter((file) => !file.startsWith('src/generated/'))
    .map((file) => file.replace('/operations/', '/').split('/'))
    .filter((names) => names.length > 3)
    .map(([, layer, folder]) => `${layer}/${folder}`);
  return [...new Set(found)].sort();
};

const nouns = rowsBehind('## Nouns');
const others = rowsBehind('Folders that are no nouns:').map(([folder = '']) => folder.slice(0, -1));

describe('The nouns of docs/architecture.md', () => {
  test('have the folders of src that the table says, and there are no other folders', () => {
    const drawn = nouns.flatMap(([noun, ...cells]) =>
      layers.filter((_, index) => cells[index] === '•').map((layer) => `${layer}/${noun}`),
    );
    const folders = foldersOf('src').filter((folder) => !others.includes(folder));
    expect(drawn.sort()).toEqual(folders);
  });

  test('have the folders of test that the table says, and there are no other folders', () => {
    const drawn = nouns.flatMap(([noun, ...cells]) =>
      [...(cells.at(-1) ?? '').matchAll(/([\w-]+)\//g)].map(([, layer]) => `${layer}/${noun}`),
    );
    const folders = foldersOf('test').filter((folder) => !others.includes(folder));
    expect(drawn.sort()).toEqual(folders);
  });

  test('leave only folders that exist to the table of the others', () => {
    const missing = others.filter(
      (folder) => !['src', 'test'].some((top) => existsSync(join(root, top, folder))),
    );
    expect(missing).toEqual([]);
  });
});

test('docs/architecture.md names only files that exist', () => {
  const named = [...read('docs/architecture.md').matchAll(/`([\w./-]+\.ts)`/g)].map(([, file = '']) => file);
  const missing = named.filter((file) => ![file, `src/${file}`].some((each) => existsSync(join(root, each))));
  expect(missing).toEqual([]);
});
