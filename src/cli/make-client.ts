import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The folder in which the package is built. It is below node_modules of the project, so that libraries are found. */
const folder = join(root, 'dist/client');

const run = promisify(execFile);

/** Removes examples, which would make up most of the types, and which `/docs` shows. */
function withoutExamples(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutExamples);
  if (typeof value !== 'object' || value === null) return value;
  const isExplained = 'schema' in value; // parameters and bodies; a property can be named "example" as well
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !(isExplained && (name === 'example' || name === 'examples')))
      .map(([name, part]) => [name, withoutExamples(part)]),
  );
}

interface Description {
  readonly components: { readonly responses: Readonly<Record<string, object>> };
}

/**
 * Describes the body of every error as an error. Explanations (`Prefer: explain`) are for people, and with them in the type,
 * programs could not read `error.message`.
 */
function withPlainErrors(description: Description): Description {
  const { components } = description;
  const content = { 'application/json': { schema: { $ref: '#/components/schemas/Exception' } } };
  const responses = { ...components.responses, Error: { ...components.responses.Error, content } };
  return { ...description, components: { ...components, responses } };
}

interface Generator {
  readonly default: (description: object) => Promise<unknown>;
  readonly astToString: (ast: unknown) => string;
}

/**
 * Loads openapi-typescript. It needs the JavaScript interface of TypeScript, which version 7 does not have, so it is
 * bundled with the copy of TypeScript in ts-morph.
 */
async function loadGenerator(): Promise<Generator> {
  const outfile = join(folder, 'generator.mjs');
  await build({
    absWorkingDir: root,
    stdin: {
      contents: `export { default, astToString } from 'openapi-typescript'`,
      resolveDir: root,
    },
    bundle: true,
    platform: 'node',
    format: 'esm',
    outfile,
    alias: { typescript: '@ts-morph/common/dist/typescript.js' },
    banner: {
      js: `import { createRequire as requireOf } from 'node:module';
        const require = requireOf(import.meta.url);
        const [__filename, __dirname] = [import.meta.filename, import.meta.dirname];`,
    },
    logLevel: 'error',
  });
  const generator = (await import(pathToFileURL(outfile).href)) as Generator;
  await rm(outfile);
  return generator;
}

/** Creates the package quire-client-VERSION.tgz in a folder. */
export async function makeClient(destination = '.'): Promise<void> {
  const { version, license, engines, devDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  );
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const { default: generate, astToString } = await loadGenerator();
  const description = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));
  await writeFile(
    join(folder, 'schema.d.ts'),
    astToString(await generate(withPlainErrors(withoutExamples(description) as Description))),
  );
  for (const name of ['client.ts', 'index.ts']) {
    const text = await readFile(join(root, 'client', name), 'utf8');
    // The declarations that the compiler writes contain the imports as they are.
    await writeFile(join(folder, name), text.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
  }
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--ignoreConfig', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
  const strict = ['--strict', '--declaration', '--types', ''];
  await run(process.execPath, [compiler, ...options, ...strict, join(folder, 'index.ts')], { cwd: folder });
  const manifest = {
    name: 'quire-client',
    version,
    description: 'A typed client for the REST interface of Quire',
    license,
    type: 'module',
    engines,
    exports: { '.': { types: './index.d.ts', default: './index.js' } },
    files: ['*.js', '*.d.ts'],
    dependencies: { 'openapi-fetch': devDependencies['openapi-fetch'] },
  };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  for (const [from, to] of [
    ['client/README.md', 'README.md'],
    ['LICENSE', 'LICENSE'],
  ] as const)
    await copyFile(join(root, from), join(folder, to));
  await run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', resolve(destination)], {
    cwd: folder,
  });
  await rm(folder, { recursive: true });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await makeClient(process.argv[2]);
