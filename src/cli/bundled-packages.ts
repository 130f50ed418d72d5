import { type BuildOptions, build } from 'esbuild';

const shared = {
  bundle: true,
  write: false,
  metafile: true,
  minify: true, // Code that is not used is left out, as in a release.
  splitting: true,
  format: 'esm',
  outdir: 'out',
  preserveSymlinks: true, // Otherwise, folders would not be relative to a root whose node_modules is a link.
  logLevel: 'silent',
} as const satisfies BuildOptions;

/** The entry points of the bundles. They must equal those in the script `bundle` of package.json. */
const server: BuildOptions = {
  entryPoints: [
    'src/generated/prisma/client.ts',
    'src/graphql/graphiql.ts',
    'src/converters/pages/mammoth.ts',
    'src/converters/pages/highlighter.ts',
    'src/converters/texts/word-extractor.ts',
  ],
  platform: 'node',
};

/** The console. Vite builds it, but esbuild finds the packages in a tenth of the time. */
const console: BuildOptions = {
  entryPoints: ['web/src/main.tsx', 'web/src/docs/main.tsx', 'web/src/share/main.tsx'],
  jsx: 'automatic',
  external: ['virtual:*'],
  loader: { '.woff2': 'file', '.svg': 'file', '.png': 'file', '.wasm': 'file' },
};

/** Returns the folders of the packages whose code is part of a built server or console, relative to the root. */
export async function bundledPackages(root: string): Promise<string[]> {
  const folders = new Set<string>();
  for (const each of [server, console]) {
    const { metafile } = await build({ ...each, ...shared, absWorkingDir: root });
    for (const { inputs } of Object.values(metafile.outputs))
      for (const [input, { bytesInOutput }] of Object.entries(inputs)) {
        const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
        if (folder !== undefined && bytesInOutput > 0) folders.add(folder);
      }
  }
  return [...folders].sort();
}
