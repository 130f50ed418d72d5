import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { z } from 'zod';
import { createModel } from '../create-model.ts';
import { contributedShape, type DirectoryDefinition, type ModelDefinition } from '../definitions.ts';
import { stockDirectories } from '../directories/directories.ts';
import { readFirstEntries } from '../directories/first-entries.ts';
import { stockFacets } from '../facets.ts';
import type { Model } from '../model.ts';
import { type Fault, ModelError, reasonOf, requireAll, requireNoFaults } from '../model-error.ts';
import { stockSchemas } from '../schemas/index.ts';
import { stockPageProviders } from '../search/page-providers.ts';
import { stockTypes } from '../types.ts';
import { stockVersioningPolicies } from '../versioning.ts';
import { stockWorkflows } from '../workflows/index.ts';

type Path = readonly PropertyKey[];

/**
 * Converts zod issues to errors. For a union, only the issues of the variant that was most likely intended are
 * reported.
 */
function shapeFaults(file: string, issues: readonly z.core.$ZodIssue[], parent: Path = []): readonly Fault[] {
  return issues.flatMap((issue): readonly Fault[] => {
    const path = [...parent, ...issue.path];
    if (issue.code === 'invalid_union' && issue.errors.length > 0)
      return shapeFaults(file, likelyVariant(issue.errors), path);
    if (issue.code === 'unrecognized_keys')
      return issue.keys.map((key) => ({
        file,
        location: locationOf([...path, key]),
        fault: 'is not a known field',
      }));
    return [{ file, location: locationOf(path), fault: issue.message }];
  });
}

/**
 * Returns the issues of the first union variant that accepts the type of the value or, if no variant does, those of the
 * first variant.
 */
function likelyVariant(variants: readonly z.core.$ZodIssue[][]): readonly z.core.$ZodIssue[] {
  const isWrongType = ({ code, path }: z.core.$ZodIssue): boolean =>
    path.length === 0 && (code === 'invalid_type' || code === 'invalid_value');
  return variants.find((issues) => !issues.some(isWrongType)) ?? variants[0] ?? [];
}

function locationOf(path: Path): string {
  return path.reduce<string>((location, key) => {
    if (typeof key === 'number') return `${location}[${key}]`;
    return location === '' ? String(key) : `${location}.${String(key)}`;
  }, '');
}

/** Definitions, and the file or the extension that contains them. */
interface Contribution {
  readonly file: string;
  readonly definition: Partial<ModelDefinition>;
}

export const stockModel: ModelDefinition = {
  schemas: stockSchemas,
  facets: stockFacets,
  types: stockTypes,
  directories: stockDirectories,
  versioning: stockVersioningPolicies,
  pageProviders: stockPageProviders,
  workflows: stockWorkflows,
  chains: [],
  indexes: [],
};

/** A file of a model. */
export interface ModelFile {
  /** The name without the folder. */
  readonly name: string;
  readonly text: string;
}

/** The names of the files that a folder with a model contains: JSON, and CSV with the entries of directories. */
export const modelFileNames = async (folder: string | undefined): Promise<string[]> =>
  folder === undefined ? [] : (await namesIn(folder)).filter((name) => /\.(?:json|csv)$/.test(name)).sort();

/**
 * Reads the JSON files in a folder, sorted by name. Returns an empty list if `folder` is undefined.
 * @param changed a file that is read instead of the one with its name, or in addition to all others
 * @throws ModelError if the folder cannot be read, or with the syntax errors of all files
 */
export async function readContributed(
  folder: string | undefined,
  changed?: ModelFile,
): Promise<Contribution[]> {
  if (folder === undefined && !changed) return [];
  const found = folder === undefined ? [] : (await namesIn(folder)).filter((name) => name.endsWith('.json'));
  const names = [...new Set([...found, ...(changed ? [changed.name] : [])])].sort();
  const files = await Promise.all(
    names.map((name) => readOne(join(folder ?? '', name), name === changed?.name ? changed.text : undefined)),
  );
  requireNoFaults(files.flatMap((file) => ('faults' in file ? file.faults : [])));
  return files.filter((file) => 'definition' in file);
}

/**
 * Builds the model from the built-in definitions, the JSON files in a folder, and the definitions of extensions.
 * @param others the folders of extensions
 * @param inCode the definitions in the code of extensions
 * @param changed a file that is read instead of the one with its name in `folder`, or in addition to its files
 * @throws ModelError in the same cases as `readContributed`, or if definitions contradict each other
 */
export async function loadModel(
  folder: string | undefined,
  others: readonly string[] = [],
  inCode: readonly Contribution[] = [],
  changed?: ModelFile,
): Promise<Model> {
  const read = await Promise.all([
    readContributed(folder, changed),
    ...others.map((other) => readContributed(other)),
  ]);
  const contributions = [...read.flat(), ...inCode];
  const definitions = [stockModel, ...contributions.map(({ definition }) => definition)];
  const model = createModel(
    {
      schemas: definitions.flatMap((definition) => definition.schemas ?? []),
      facets: definitions.flatMap((definition) => definition.facets ?? []),
      types: definitions.flatMap((definition) => definition.types ?? []),
      directories: definitions.flatMap((definition) => definition.directories ?? []),
      versioning: definitions.flatMap((definition) => definition.versioning ?? []),
      pageProviders: definitions.flatMap((definition) => definition.pageProviders ?? []),
      workflows: definitions.flatMap((definition) => definition.workflows ?? []),
      chains: definitions.flatMap((definition) => definition.chains ?? []),
      indexes: definitions.flatMap((definition) => definition.indexes ?? []),
    },
    originsOf(contributions),
  );
  await checkFirstEntries(model);
  return model;
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    const fault = `cannot be read as a directory (${reasonOf(error)})`;
    throw new ModelError([{ file: folder, location: '', fault }]);
  }
}

async function readOne(
  file: string,
  text: string | undefined,
): Promise<Contribution | { faults: readonly Fault[] }> {
  try {
    const read = contributedShape.safeParse(JSON.parse(text ?? (await readFile(file, 'utf8'))));
    return read.success
      ? { file, definition: resolveCsvPaths(file, read.data) }
      : { faults: shapeFaults(file, read.error.issues) };
  } catch (error) {
    return { faults: [{ file, location: '', fault: `cannot be read as JSON (${reasonOf(error)})` }] };
  }
}

/** Resolves the names of CSV files relative to the folder of the JSON file that contains them. */
function resolveCsvPaths(file: string, definition: Partial<ModelDefinition>): Partial<ModelDefinition> {
  const directories = definition.directories?.map((directory): DirectoryDefinition => {
    const { entries } = directory;
    return typeof entries === 'string' ? { ...directory, entries: join(dirname(file), entries) } : directory;
  });
  return { ...definition, ...(directories && { directories }) };
}

/**
 * Checks the initial entries of contributed directories.
 * @throws ModelError, which lists all errors
 */
async function checkFirstEntries({ directories }: Model): Promise<void> {
  const contributed = [...directories.values()].filter(({ file }) => file !== undefined);
  await requireAll(contributed.map((directory) => readFirstEntries(directory)));
}

function originsOf(contributions: readonly Contribution[]): ReadonlyMap<object, string> {
  return new Map(
    contributions.flatMap(({ file, definition }) =>
      Object.values(definition).flatMap((list) => list.map((entry): [object, string] => [entry, file])),
    ),
  );
}
