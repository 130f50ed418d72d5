import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { contributedShape } from './contributed-shape.ts';
import { createModel } from './create-model.ts';
import type { DirectoryDefinition, ModelDefinition } from './definitions.ts';
import { directories } from './directories.ts';
import { facets } from './facets.ts';
import { readFirstEntries } from './first-entries.ts';
import type { Model } from './model.ts';
import { type Fault, ModelError, reasonOf } from './model-error.ts';
import { pageProviders } from './page-providers.ts';
import { schemas } from './schemas/index.ts';
import { shapeFaults } from './shape-faults.ts';
import { types } from './types.ts';
import { versioning } from './versioning.ts';
import { workflows } from './workflows/index.ts';

/** A file of MODEL_DIR and what it adds to the stock model. */
export interface Contribution {
  file: string;
  definition: Partial<ModelDefinition>;
}

/** The model every server has. */
export const stockModel: ModelDefinition = {
  ...{ schemas, facets, types, directories, versioning, pageProviders, workflows },
};

/**
 * The JSON files of the directory in the order of their names; none when no directory is given.
 * Throws a ModelError when the directory cannot be read, or with all that is wrong with the form of its files.
 */
export async function readContributed(dir: string | undefined): Promise<Contribution[]> {
  if (dir === undefined) return [];
  const names = (await namesIn(dir)).filter((name) => name.endsWith('.json')).sort();
  const files = await Promise.all(names.map((name) => readOne(join(dir, name))));
  const [first, ...others] = files.flatMap((file) => ('faults' in file ? file.faults : []));
  if (first) throw new ModelError(first, ...others);
  return files.filter((file) => 'definition' in file);
}

/**
 * The stock model together with that of the directory.
 * Throws a ModelError as `readContributed` does, or with all that contradicts itself or the stock model.
 */
export async function loadModel(dir: string | undefined): Promise<Model> {
  const contributions = await readContributed(dir);
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
    },
    originsOf(contributions),
  );
  await requireSoundEntries(model);
  return model;
}

async function namesIn(dir: string): Promise<string[]> {
  try {
    return await readdir(dir);
  } catch (error) {
    throw new ModelError({
      file: dir,
      place: '',
      fault: `cannot be read as a directory (${reasonOf(error)})`,
    });
  }
}

async function readOne(file: string): Promise<Contribution | { faults: readonly Fault[] }> {
  try {
    const read = contributedShape.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return read.success
      ? { file, definition: besideFile(file, read.data) }
      : { faults: shapeFaults(file, read.error.issues) };
  } catch (error) {
    return { faults: [{ file, place: '', fault: `cannot be read as JSON (${reasonOf(error)})` }] };
  }
}

/** With the CSV files found where they are: beside the file that names them. */
function besideFile(file: string, definition: Partial<ModelDefinition>): Partial<ModelDefinition> {
  const directories = definition.directories?.map(({ entries, ...directory }): DirectoryDefinition => {
    if (entries === undefined) return directory;
    return { ...directory, entries: typeof entries === 'string' ? join(dirname(file), entries) : entries };
  });
  return { ...definition, ...(directories && { directories }) };
}

/** @throws ModelError with all that is wrong with the entries that contributed directories start with. */
async function requireSoundEntries({ directories }: Model): Promise<void> {
  const contributed = [...directories.values()].filter(({ file }) => file !== undefined);
  const read = await Promise.allSettled(contributed.map((directory) => readFirstEntries(directory)));
  const reasons = read.flatMap((each): unknown[] => (each.status === 'rejected' ? [each.reason] : []));
  const [first, ...others] = reasons.flatMap((error) => {
    if (!(error instanceof ModelError)) throw error;
    return error.faults;
  });
  if (first) throw new ModelError(first, ...others);
}

function originsOf(contributions: readonly Contribution[]): ReadonlyMap<object, string> {
  return new Map(
    contributions.flatMap(({ file, definition }) =>
      Object.values(definition).flatMap((list) => list.map((entry): [object, string] => [entry, file])),
    ),
  );
}
