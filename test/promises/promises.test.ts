/** @group slow */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import { buildSchema, findBreakingChanges } from 'graphql';
import { z } from 'zod';
import { newFolder } from '../support/folder.ts';
import { brokenPromises, parsed, printed, type Surface } from './surface.ts';
import {
  commandLineSurface,
  graphqlSurface,
  metricsSurface,
  modelSurface,
  type OpenApi,
  restSurface,
  settingsSurface,
} from './surfaces.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const keptFile = (name: string): string => join(root, 'test/promises/kept', name);

/** `npm run print:promises` stores the interfaces of a release. Nothing else changes these files. */
const isPrinting = process.env.PRINT_PROMISES !== undefined;

async function kept(name: string, now: string): Promise<string> {
  if (isPrinting) await writeFile(keptFile(name), now);
  return readFile(keptFile(name), 'utf8');
}

const api: OpenApi = JSON.parse(await readFile(join(root, 'openapi.json'), 'utf8'));

const surfaces: ReadonlyArray<readonly [name: string, now: () => Surface | Promise<Surface>]> = [
  ['rest.txt', () => restSurface(api)],
  ['command-line.txt', commandLineSurface],
  ['settings.txt', () => settingsSurface()],
  ['model.txt', () => modelSurface()],
  ['metrics.txt', metricsSurface],
];

describe('What docs/promises.md promises', () => {
  test.each(surfaces)('%s is kept: nothing that it lists was removed or narrowed', async (name, list) => {
    const now = await list();
    expect(now.size).toBeGreaterThan(10);
    expect(brokenPromises(parsed(await kept(name, printed(now))), now)).toEqual([]);
  });

  test('schema.graphql is kept: no field, argument or value that clients use was removed or narrowed', async () => {
    const now = graphqlSurface();
    const before = buildSchema(await kept('schema.graphql', now));
    expect(findBreakingChanges(before, buildSchema(now)).map(({ description }) => description)).toEqual([]);
  });
});

type Writable<Value> = Value extends object
  ? { -readonly [Key in keyof Value]: Writable<Value[Key]> }
  : Value;

describe('The comparison of promises', () => {
  const at = '/path/{path}';

  /** What is broken by a change of openapi.json. */
  function broken(edit: (copy: Writable<OpenApi>) => void): string[] {
    const copy = structuredClone(api) as Writable<OpenApi>;
    edit(copy);
    return brokenPromises(restSurface(api), restSurface(copy));
  }

  test('names a call, a parameter, a property or a value of REST that was removed', () => {
    expect(broken(({ paths }) => delete paths[at]?.delete)).toContain(`DELETE ${at} was removed.`);
    expect(
      broken(({ paths }) => {
        const get = paths[at]?.get;
        if (get?.parameters) get.parameters = get.parameters.filter(({ $ref }) => !$ref?.endsWith('/depth'));
      }),
    ).toEqual([`GET ${at}: header depth was removed or changed.`]);
    expect(broken(({ components }) => components.parameters.depth?.schema?.enum?.pop())).toEqual([
      'header depth: ="max" was removed or changed.',
    ]);
    expect(broken(({ components }) => delete components.schemas.Document?.properties?.state)).toEqual(
      expect.arrayContaining(['Document: .state was removed or changed.', 'Document.state was removed.']),
    );
    expect(
      broken(({ components }) => {
        const state = components.schemas.Document?.properties?.state;
        if (state) state.type = 'integer';
      }),
    ).toEqual(['Document.state: string was removed or changed.']);
  });

  test('names a parameter of REST that is required now, and accepts one that is new and optional', () => {
    const add = (required: boolean) =>
      broken(({ paths }) => paths[at]?.get?.parameters?.push({ name: 'why', in: 'query', required }));
    expect(add(true)).toEqual([`GET ${at}: query why is required now.`]);
    expect(add(false)).toEqual([]);
    expect(
      broken(({ components, paths }) => {
        const properties = components.schemas.Document?.properties;
        if (properties) properties.mood = { type: 'string' };
        paths['/moods'] = { get: { responses: { 200: {} } } };
      }),
    ).toEqual([]);
  });

  test('names a setting, a default and a value that was removed', () => {
    const before = settingsSurface(
      z.object({ LEVEL: z.enum(['low', 'high']).default('low'), PORT: z.string() }),
    );
    const after = settingsSurface(z.object({ LEVEL: z.enum(['low']).default('low') }));
    expect(brokenPromises(before, after)).toEqual([
      'settings: .PORT was removed or changed.',
      'settings.LEVEL: ="high" was removed or changed.',
      'settings.PORT: string was removed or changed.',
    ]);
  });

  test('names an option of a command that was removed and a label of a metric that was renamed', async () => {
    const commands = await commandLineSurface();
    const less = new Map(commands).set('quire backup', new Set(['argument 1', '!argument 1', '--json']));
    expect(brokenPromises(commands, less)).toEqual(['quire backup: --force was removed or changed.']);
    const metrics = metricsSurface();
    expect(metrics.get('jobs')).toEqual(new Set(['gauge', '{kind}', '{state}']));
    const renamed = new Map(metrics).set('jobs', new Set(['gauge', '{kind}', '{status}']));
    expect(brokenPromises(metrics, renamed)).toEqual(['jobs: {state} was removed or changed.']);
  });
});

describe('The interface of extensions', () => {
  /** What extensions define must still be accepted, and what they receive must still have everything. */
  const assertions = `
    import type * as Kept from './kept.ts';
    import type * as Now from './now.ts';
    export const define = (extension: Kept.Extension): Now.Extension => extension;
    export const context = (value: Now.ExtensionContext): Kept.ExtensionContext => value;
    export const document = (value: Now.ExtensionDocument): Kept.ExtensionDocument => value;
    export const event = (value: Now.ExtensionEvent): Kept.ExtensionEvent => value;
    export const write = (value: Now.PendingWrite): Kept.PendingWrite => value;
    export const work = (value: Now.RequestWork): Kept.RequestWork => value;
    export const log = (value: Now.ExtensionLog): Kept.ExtensionLog => value;
    export type Refusal = ConstructorParameters<typeof Now.Refusal>;
    export const refusal = (value: ConstructorParameters<typeof Kept.Refusal>): Refusal => value;
  `;

  async function faultsOf(before: string, now: string): Promise<string> {
    const folder = newFolder();
    await writeFile(join(folder, 'kept.ts'), before);
    await writeFile(join(folder, 'now.ts'), now);
    await writeFile(join(folder, 'assertions.ts'), assertions);
    const options = ['--ignoreConfig', '--noEmit', '--strict', '--exactOptionalPropertyTypes'];
    const modules = ['--module', 'nodenext', '--target', 'es2023', '--allowImportingTsExtensions'];
    const types = ['--lib', 'es2023', '--types', 'node', '--typeRoots', join(root, 'node_modules/@types')];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const args = [tsc, ...options, ...modules, ...types, '--skipLibCheck', join(folder, 'assertions.ts')];
    return promisify(execFile)(process.execPath, args).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
  }

  test('accepts extensions that were written for the kept interface, and gives them what they used', async () => {
    const now = await readFile(join(root, 'src/extension.ts'), 'utf8');
    expect(existsSync(keptFile('extension.ts.txt')) || isPrinting).toBe(true);
    const before = await kept('extension.ts.txt', now);
    expect(await faultsOf(before, now)).toBe('');
  });

  test('is found to be broken by name if a member was removed or is required now', async () => {
    const now = await readFile(join(root, 'src/extension.ts'), 'utf8');
    const context = /export interface ExtensionContext \{[\s\S]*?\n\}/.exec(now)?.[0] ?? '';
    const member = /\n {2}(?:readonly )?(\w+)[(:<]/.exec(context)?.[1] ?? '';
    const without = now.replace(
      context,
      context.replace(new RegExp(`\\n {2}(readonly )?${member}(?=[(:<])`), `\n  $1other`),
    );
    expect(await faultsOf(now, without)).toContain(`'${member}'`);
    const stricter = now.replace(/(export interface Extension \{)/, '$1\n  readonly licence: string;');
    expect(await faultsOf(now, stricter)).toContain("'licence'");
    const wider = now.replace(/(export interface Extension \{)/, '$1\n  readonly licence?: string;');
    expect(await faultsOf(now, wider)).toBe('');
  });
});
