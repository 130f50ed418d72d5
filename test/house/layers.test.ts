import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { newFolder } from '../support/folder.ts';
import { importsOf, layerOf, read, root, rowsBehind, sourceFiles } from './tree.ts';

/** The layers in the order of docs/architecture.md. */
const layers = rowsBehind('## Layers').map(([layer = '']) => layer);

describe('The layers of docs/architecture.md', () => {
  test('are the folders and root files of src', () => {
    expect(layers.toSorted()).toEqual([...new Set(sourceFiles.map(layerOf))].sort());
  });

  test('import only from layers above them in the table, types included', () => {
    const order = new Map(layers.map((layer, index) => [layer, index]));
    const upwards = sourceFiles.flatMap((file) =>
      importsOf(file)
        .filter((other) => (order.get(layerOf(other)) ?? -1) > (order.get(layerOf(file)) ?? -1))
        .map((other) => `${file} imports ${other}`),
    );
    expect(upwards).toEqual([]);
  });
});

/** A file of a layer, and how it names a file of another one. */
const fileIn = (layer: string): string => (layer.endsWith('/') ? `${layer}file.ts` : layer);
const specifier = (from: string, to: string): string => `${from.endsWith('/') ? '../' : './'}${fileIn(to)}`;

/** Runs Biome on files that import, a line each, every layer that comes after theirs. */
async function diagnosticsOf(folder: string): Promise<string> {
  await writeFile(join(folder, 'biome.json'), read('biome.layers.json'));
  for (const [index, layer] of layers.entries()) {
    const file = join(folder, 'src', fileIn(layer));
    await mkdir(dirname(file), { recursive: true });
    const lines = layers.slice(index + 1).map((later) => `import '${specifier(layer, later)}';\n`);
    await writeFile(file, lines.join(''));
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const args = ['lint', '--only=noRestrictedImports', '--reporter=github', '--max-diagnostics=none', folder];
  return new Promise((resolve) =>
    execFile(biome, args, { cwd: folder, maxBuffer: 2 ** 24 }, (_, out) => resolve(out)),
  );
}

test('The fences of biome.layers.json refuse every import of a later layer', async () => {
  const folder = newFolder();
  const diagnostics = await diagnosticsOf(folder);
  const refused = new Set(
    [...diagnostics.matchAll(/file=\S*?\bsrc\/([^,]+),line=(\d+)/g)].map(
      ([, file, line]) => `${file} ${line}`,
    ),
  );
  const open = layers.flatMap((layer, index) =>
    layers
      .slice(index + 1)
      .filter((_, line) => !refused.has(`${fileIn(layer)} ${line + 1}`))
      .map((later) => `${layer} may import ${later}`),
  );
  expect(open).toEqual([]);
});
