import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { ConfigError, environmentVariable } from '../config.ts';
import type { ContributedOperation, Extension } from '../extension.ts';
import { pageProviderShape } from '../model/search/page-provider-definitions.ts';
import { isPermission } from '../security/permissions.ts';
import { type LoadedExtension, migrationsOf, setExtensions, tablePrefixOf } from './loaded.ts';

const { version: ownVersion } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const run = z.custom<(...given: never[]) => Promise<never>>(
  (value) => typeof value === 'function',
  'must be a function',
);
const label = z.string().min(1).max(1_000);
const graphqlName = z.string().regex(/^[A-Za-z]\w{0,99}$/, 'must consist of letters, digits and "_"');
const localName = z
  .string()
  .regex(/^[a-z][a-z\d-]{0,49}$/, 'must consist of lower-case letters, digits and "-"');
const names = z.array(label).optional();
const valueType = z.enum(['string', 'number', 'boolean', 'date']);
const queryName = z.string().regex(/^[a-z][a-z\d-]*:[A-Za-z]\w*$/, 'must be a name such as invoices:paid');

/** Paths that the server's own resources and the console's screens use, so handlers of extensions cannot use them. */
const ownPaths: ReadonlySet<string> = new Set(
  [
    '.well-known/oauth-authorization-server',
    '.well-known/oauth-protected-resource',
    'api',
    'authentication',
    'console-logo',
    'share',
    'graphql',
    'health',
    'icons',
    'json',
    'login',
    'logout',
    'metrics',
    'nxbigfile',
    'nxfile',
    'nxpicsfile',
    'oauth2',
    'password',
    'runningstatus',
    'site',
    'sso',
    'startup',
  ].map((name) => `/${name}`),
);

const shape = z.strictObject({
  name: localName,
  version: z.string().regex(/^\d+\.\d+\.\d+/, 'must be a version such as 1.0.0'),
  quire: z.string().regex(/^\^\d+(\.\d+){0,2}$/, 'must be a range such as ^1.0'),
  model: z.instanceof(URL).optional(),
  migrations: z.instanceof(URL).optional(),
  settings: z
    .record(
      z.string().regex(/^[A-Z][A-Z\d_]*$/, 'must be the name of an environment variable'),
      z.strictObject({
        description: label,
        default: z.string().optional(),
        required: z.boolean().optional(),
      }),
    )
    .optional(),
  fetchProperties: z
    .array(
      z.strictObject({
        xpath: z.string().regex(/^[\w-]+:[\w-]+$/, 'must be an xpath such as si:customer'),
        description: label,
        values: run,
      }),
    )
    .optional(),
  queryProperties: z
    .array(
      z.strictObject({
        name: queryName,
        type: valueType,
        sql: z.string().min(1).max(10_000),
      }),
    )
    .optional(),
  queryPredicates: z
    .array(
      z.strictObject({
        name: queryName,
        type: valueType,
        sql: z.string().max(10_000).includes('$value', 'must contain $value'),
      }),
    )
    .optional(),
  pageProviders: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[A-Za-z][\w.-]{0,99}$/, 'must consist of letters, digits, ".", "_" and "-"'),
        description: label,
        options: pageProviderShape.omit({ name: true, query: true }).optional(),
        query: run,
      }),
    )
    .optional(),
  enrichers: z.array(z.strictObject({ name: graphqlName, description: label, values: run })).optional(),
  operations: z
    .array(
      z.strictObject({
        id: z.string().regex(/^[A-Z]\w*\.[A-Z]\w*$/, 'must be two words such as Invoices.Approve'),
        label,
        description: label,
        kind: z.enum(['query', 'mutation']),
        input: z.enum(['none', 'document']),
        output: z.enum(['none', 'document', 'json']),
        permission: z.string().refine(isPermission, 'is not a permission').optional(),
        parameters: z
          .record(
            graphqlName,
            z.strictObject({
              type: z.enum(['string', 'boolean', 'integer', 'date', 'list', 'json']),
              description: label,
              required: z.boolean().optional(),
            }),
          )
          .optional(),
        resource: z
          .string()
          .regex(
            /^(GET|POST|PUT|DELETE)( (\/:[a-zA-Z]\w*|\/[\w.~-]+)+)$/,
            'must be a method and a path such as GET /totals/:year',
          )
          .optional(),
        run,
      }),
    )
    .optional(),
  before: z.array(z.strictObject({ types: names, run })).optional(),
  after: z
    .array(
      z.strictObject({
        name: localName,
        events: names,
        types: names,
        path: z.string().startsWith('/', 'must begin with "/"').optional(),
        run,
      }),
    )
    .optional(),
  commands: z
    .array(
      z.strictObject({ name: localName, summary: label, arguments: z.string().max(200).optional(), run }),
    )
    .optional(),
  handlers: z
    .array(
      z
        .strictObject({
          path: z
            .string()
            .regex(/^(\/\.well-known)?\/[a-z][\w-]*$/, 'must be /NAME or /.well-known/NAME')
            .refine((path) => !ownPaths.has(path), 'is already used by the server'),
          access: z.enum(['users', 'everyone']),
          oauth: z.strictObject({ consent: label }).optional(),
          handle: run,
        })
        .refine(({ access, oauth }) => !oauth || access === 'users', 'oauth requires the access of users'),
    )
    .optional(),
  converters: z
    .array(
      z.strictObject({
        name: localName,
        from: z
          .array(z.string().regex(/^[\w.+-]+\/[\w.+-]+$/, 'must be a media type such as image/x-dwg'))
          .min(1),
        to: z.enum(['text', 'pdf', 'html']),
        convert: run,
      }),
    )
    .optional(),
  jobs: z
    .array(z.strictObject({ name: localName, every: z.number().min(10).max(2_592_000), run }))
    .optional(),
});

interface Module {
  readonly definition: unknown;
  readonly folder: string;
}

/** Returns what to do about an error that does not say so itself. */
function hintFor(place: string, error: unknown): string {
  if (error instanceof SyntaxError) return `Run "node --check" with its file, which prints the line.`;
  if (/^[\w-]+\.[cm]?js$/.test(place)) return `If it is a file, write ./${place}.`;
  return '';
}

/** @throws ConfigError if the module cannot be loaded */
async function moduleOf(place: string): Promise<Module> {
  try {
    const isFile = /^(\.{0,2}[/\\]|[A-Za-z]:[/\\])/.test(place);
    const path = isFile ? resolve(place) : packageFile(place);
    const { default: definition } = await import(path === undefined ? place : pathToFileURL(path).href);
    return { definition, folder: path === undefined ? `node_modules/${place}/` : dirname(path) };
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const hint = hintFor(place, error);
    throw new ConfigError(`EXTENSIONS: ${place} cannot be loaded.${hint && ` ${hint}`}\n${reason}`);
  }
}

/**
 * Returns the main file of a package that is installed in the working directory or one of its ancestors; undefined if
 * it is not found there.
 */
function packageFile(name: string): string | undefined {
  try {
    return createRequire(join(process.cwd(), 'package.json')).resolve(name);
  } catch {
    return undefined; // The package may be installed next to this server, or have no entry for `require`.
  }
}

const numbersOf = (version: string): number[] =>
  version
    .replace(/^\^/, '')
    .split('.')
    .map((part) => Number.parseInt(part, 10));

/** Whether a version is in a range such as `^1.2`. As in npm, the first nonzero number must be equal. */
export function isInRange(version: string, range: string): boolean {
  const [has, wants] = [numbersOf(version), numbersOf(range)];
  const leading = wants.findIndex((number) => number > 0);
  const fixed = leading === -1 ? wants.length : leading + 1;
  for (let at = 0; at < 3; at += 1) {
    const difference = (has[at] ?? 0) - (wants[at] ?? 0);
    if (difference !== 0) return at >= fixed && difference > 0;
  }
  return true;
}

function duplicates(values: readonly string[]): string[] {
  return values.filter((value, index) => values.indexOf(value) !== index);
}

/**
 * Finds migrations with CREATE TABLE statements that backups would not recognize. Backups would omit these tables.
 */
function migrationFaults(extension: Extension): string[] {
  const beginning = `CREATE TABLE "${tablePrefixOf(extension.name)}`;
  try {
    return migrationsOf(extension).flatMap(({ name, sql }) =>
      sql
        .split('\n')
        .filter((line) => /^\s*CREATE\b/i.test(line) && /\bTABLE\b/i.test(line))
        .some((line) => !line.startsWith(beginning))
        ? [`migrations: ${name}: each table must be created by a line that begins with ${beginning}`]
        : [],
    );
  } catch (error) {
    return [`migrations: ${error instanceof Error ? error.message : String(error)}`];
  }
}

/** Returns the faults in the REST resource of an operation. */
function resourceFaults({ id, resource, kind, input, parameters = {} }: ContributedOperation): string[] {
  if (resource === undefined) return [];
  const faults: string[] = [];
  const names = [...resource.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  if (resource.startsWith('GET ') && kind === 'mutation') faults.push('a mutation cannot be called with GET');
  if (input === 'document' && !names.includes('id')) faults.push('the path must contain the document, :id');
  for (const name of names)
    if (!(name === 'id' && input === 'document') && !parameters[name]?.required)
      faults.push(`:${name} must be a required parameter of the operation`);
  return faults.map((fault) => `operations: ${id}: resource: ${fault}`);
}

const faultOf = ({ path, message, input }: z.core.$ZodIssue): string => {
  const value = typeof input === 'string' ? `"${input.slice(0, 100)}" ` : '';
  return `${path.join('.') || 'extension'}: ${value}${message}`;
};

/** @throws ConfigError that lists all faults in the definition */
function checked(place: string, { definition, folder }: Module, hasSettings: boolean): LoadedExtension {
  const read = shape.safeParse(definition, { reportInput: true });
  const refuse = (faults: readonly string[]): never => {
    throw new ConfigError(faults.map((fault) => `EXTENSIONS: ${place}: ${fault}`).join('\n'));
  };
  if (!read.success) {
    if (typeof definition !== 'object' || definition === null)
      refuse(['the default export must be an extension']);
    return refuse(read.error.issues.map(faultOf));
  }
  const extension = definition as Extension;
  const faults: string[] = [];
  if (!isInRange(ownVersion, extension.quire))
    faults.push(`quire: the extension works with ${extension.quire}, but this is version ${ownVersion}`);
  for (const member of ['model', 'migrations'] as const)
    if (extension[member] && extension[member].protocol !== 'file:')
      faults.push(`${member}: must be a file URL`);
  faults.push(...migrationFaults(extension));
  const { queryProperties = [], queryPredicates = [] } = extension;
  for (const [list, values] of Object.entries({ queryProperties, queryPredicates }))
    for (const { name } of values)
      if (!name.startsWith(`${extension.name}:`))
        faults.push(`${list}: ${name} must begin with "${extension.name}:"`);
  for (const [list, values] of Object.entries({
    enrichers: extension.enrichers?.map(({ name }) => name),
    fetchProperties: extension.fetchProperties?.map(({ xpath }) => xpath),
    queryProperties: [...queryProperties, ...queryPredicates].map(({ name }) => name),
    pageProviders: extension.pageProviders?.map(({ name }) => name),
    operations: extension.operations?.map(({ id }) => id),
    resources: extension.operations?.flatMap(({ resource }) => resource?.replace(/:\w+/g, ':') ?? []),
    after: extension.after?.map(({ name }) => name),
    jobs: extension.jobs?.map(({ name }) => name),
    converters: extension.converters?.map(({ name }) => name),
    commands: extension.commands?.map(({ name }) => name),
    handlers: extension.handlers?.map(({ path }) => path),
  }))
    for (const name of duplicates(values ?? [])) faults.push(`${list}: ${name} is defined twice`);
  faults.push(...(extension.operations ?? []).flatMap(resourceFaults));
  const settings: Record<string, string | undefined> = {};
  for (const [name, { default: byDefault, required }] of Object.entries(extension.settings ?? {})) {
    settings[name] = environmentVariable(name) ?? byDefault;
    if (hasSettings && required && settings[name] === undefined)
      faults.push(`the setting ${name} is missing`);
  }
  if (faults.length > 0) refuse(faults);
  return { ...extension, settings, folder, place };
}

/**
 * Loads the modules in EXTENSIONS. This function must be called before the modules that list enrichers and operations
 * are loaded.
 * @param places names of packages, or paths of files that begin with `/`, `./` or `../`
 * @param hasSettings whether the process has the settings of the server. The converter process does not.
 * @throws ConfigError if a module cannot be loaded or its definition is invalid
 */
export async function loadExtensions(places: readonly string[], hasSettings = true): Promise<void> {
  const all: LoadedExtension[] = [];
  for (const place of places) all.push(checked(place, await moduleOf(place), hasSettings));
  const twice = duplicates(all.map(({ name }) => name))[0];
  if (twice !== undefined) throw new ConfigError(`EXTENSIONS: two extensions are named ${twice}.`);
  setExtensions(all);
}
