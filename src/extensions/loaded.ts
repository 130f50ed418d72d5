import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ConfigError } from '../config.ts';
import type { Extension } from '../extension.ts';
import type { PageProviderDefinition } from '../model/search/page-provider-definitions.ts';

/** An extension whose definition has been checked, with the values of its settings. */
export interface LoadedExtension extends Omit<Extension, 'settings'> {
  readonly settings: Readonly<Record<string, string | undefined>>;
  /** The entry in EXTENSIONS: the name of a package or the path of a file. */
  readonly place: string;
  /** The folder of the extension's module, which identifies the extension's code in stack traces. */
  readonly folder: string;
}

/** Returns the prefix of the names of an extension's tables and migrations. */
export const tablePrefixOf = (extension: string): string => `ext_${extension.replaceAll('-', '_')}_`;

interface ExtensionMigration {
  readonly name: string;
  readonly sql: string;
}

/** Reads the migrations of an extension. Their names have the form `ext_invoices_0001_payments`. */
export function migrationsOf({
  name,
  migrations,
}: Pick<Extension, 'name' | 'migrations'>): ExtensionMigration[] {
  if (migrations?.protocol !== 'file:') return [];
  const folder = fileURLToPath(migrations);
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({
      name: `${tablePrefixOf(name)}${file.slice(0, -'.sql'.length)}`,
      sql: readFileSync(join(folder, file), 'utf8'),
    }));
}

let loaded: readonly LoadedExtension[] = [];

/** Sets the extensions that are loaded in this process. */
export function setExtensions(all: readonly LoadedExtension[]): void {
  loaded = all;
}

/**
 * Returns the extensions loaded in this process. Lists that include their contributions must be created only after the
 * extensions have been loaded.
 */
export const extensions = (): readonly LoadedExtension[] => loaded;

/**
 * Requires that an extension replaces no part of the server, and none of another extension.
 * @param kind the member of the definition, for the message
 * @param own the names of the server's own parts
 * @throws ConfigError that names the first part whose name is already used
 */
export function requireNewNames(kind: string, own: Iterable<string>, contributed: readonly string[]): void {
  const used = new Set(own);
  for (const name of contributed) {
    if (used.has(name)) throw new ConfigError(`EXTENSIONS: ${kind}: the name ${name} is already used.`);
    used.add(name);
  }
}

/** Returns the folders of the model files that extensions contribute. */
export const extensionModels = (): readonly string[] =>
  loaded.flatMap(({ model }) => (model ? [fileURLToPath(model)] : []));

/**
 * Returns the definitions of the page providers that extensions contribute, by the places of the extensions. The query
 * is the one that an extension restricts when a client calls the page provider.
 */
export const extensionPageProviders = (): ReadonlyArray<{
  readonly file: string;
  readonly definition: { readonly pageProviders: PageProviderDefinition[] };
}> =>
  loaded.map(({ place, pageProviders = [] }) => ({
    file: place,
    definition: {
      pageProviders: pageProviders.map(({ name, options }) => ({
        ...options,
        name,
        query: 'SELECT * FROM Document',
      })),
    },
  }));

/** Returns the migrations for the tables of the loaded extensions. */
export const extensionMigrations = (): readonly ExtensionMigration[] => loaded.flatMap(migrationsOf);
