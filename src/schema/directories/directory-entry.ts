import { NotFound } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder } from '../../graphql/builder.ts';
import { single } from '../../graphql/single.ts';
import type { Context } from '../../loaders/context.ts';
import { ancestorsOf, maxAncestors, parentOf } from '../../loaders/directories/ancestors.ts';
import { contributedDirectory, servedDirectory } from '../../loaders/directories/index.ts';
import type { EntryKey, StoredEntry } from '../../loaders/directories/source.ts';
import { renderEntry } from '../../model/directories/render-entry.ts';
import { labelText } from '../../model/labels.ts';
import { requireDirectoryAccess } from '../../security/directories.ts';
import {
  candidateIds,
  createEntries,
  deleteEntries,
  updateEntries,
} from '../../store/directories/directory-entries.ts';

/** @param translated the fields in which message keys are replaced with labels */
const properties = (
  entry: StoredEntry,
  translated: readonly string[],
  { services: { model }, options }: Context,
) =>
  renderEntry(contributedDirectory(model, entry.directory), entry, (name, text) =>
    translated.includes(name) ? labelText(text, options.language) : text,
  );

const climbing = ({ services: { model }, load }: Context) => ({
  model,
  find: (key: EntryKey) => load.directoryEntryByKey.load(key),
});

export const DirectoryEntry = builder.objectRef<StoredEntry>('DirectoryEntry');

DirectoryEntry.implement({
  description: 'An entry of a directory, such as a word of a vocabulary.',
  fields: (t) => ({
    directoryName: t.exposeString('directory'),
    id: t.exposeID('id'),
    properties: t.field({
      type: 'JSON',
      description: 'The fields by name, including the id.',
      args: {
        translate: t.arg.stringList({
          description: 'The fields in which message keys are replaced with labels.',
        }),
      },
      resolve: (entry, args, context) => properties(entry, args.translate ?? [], context),
    }),
    parent: t.field({
      type: DirectoryEntry,
      nullable: true,
      description: 'The entry of the parent directory to which the field `parent` refers.',
      resolve: (entry, _, context) => parentOf(entry, climbing(context)),
    }),
    ancestors: t.field({
      type: [DirectoryEntry],
      description: `The parent, its parent and so on, at most ${maxAncestors} entries. No entry is listed twice.`,
      complexity: { field: 1, multiplier: maxAncestors },
      resolve: (entry, _, context) => ancestorsOf(entry, climbing(context)),
    }),
  }),
});

builder.queryField('directoryEntry', (t) =>
  t.field({
    type: DirectoryEntry,
    nullable: true,
    description: 'The entry with the given id. If there is none, a trailing slash of the id is ignored.',
    args: { directory: t.arg.string({ required: true }), id: t.arg.id({ required: true }) },
    resolve: async (_, { directory: name, id }, { load, services: { model }, user }) => {
      requireDirectoryAccess(user, contributedDirectory(model, name));
      servedDirectory(model, name);
      const keys = candidateIds(id).map((each) => ({ directory: name, id: each }));
      const found = (await load.directoryEntryByKey.loadMany(keys)).find((entry) => entry !== null);
      if (found instanceof Error) throw found;
      if (!found) throw new NotFound('Entry not found');
      return found;
    },
  }),
);

const directoryName = { description: 'If present, it must be the name of the addressed directory.' } as const;

const NewDirectoryEntry = builder.inputType('NewDirectoryEntry', {
  fields: (t) => ({
    directoryName: t.string(directoryName),
    id: t.id({ description: 'Required unless the properties contain it or the server generates it.' }),
    properties: t.field({ type: 'JSON', description: 'The fields by name.' }),
  }),
});

const DirectoryEntryChange = builder.inputType('DirectoryEntryChange', {
  fields: (t) => ({
    directoryName: t.string(directoryName),
    id: t.id({ description: 'If present, it must be the id of the addressed entry.' }),
    properties: t.field({
      type: 'JSON',
      description: 'The fields by name. Absent fields keep their values; null clears them.',
    }),
  }),
});

builder.mutationFields((t) => ({
  createDirectoryEntry: t.field({
    type: DirectoryEntry,
    args: {
      directory: t.arg.string({ required: true }),
      entry: t.arg({ type: NewDirectoryEntry, required: true }),
    },
    resolve: async (_, { directory, entry }, context) => {
      const fresh = { ...entry, properties: asObject(entry.properties) };
      return single(await createEntries(context, directory, [fresh]));
    },
  }),
  updateDirectoryEntry: t.field({
    type: DirectoryEntry,
    args: {
      directory: t.arg.string({ required: true }),
      id: t.arg.id({ required: true }),
      entry: t.arg({ type: DirectoryEntryChange, required: true }),
    },
    resolve: async (_, { directory, id, entry }, context) => {
      const change = { ...entry, properties: asObject(entry.properties) };
      return single(await updateEntries(context, directory, [{ id, change }]));
    },
  }),
  deleteDirectoryEntry: t.id({
    description: 'Deletes an entry and returns its id.',
    args: { directory: t.arg.string({ required: true }), id: t.arg.id({ required: true }) },
    resolve: async (_, { directory, id }, context) => single(await deleteEntries(context, directory, [id])),
  }),
}));
