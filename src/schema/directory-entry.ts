import type { Context } from '../context.ts';
import { contributedDirectory, servedDirectory } from '../directories/index.ts';
import type { Entry } from '../directories/source.ts';
import { NotFound } from '../errors.ts';
import { labelText } from '../model/labels.ts';
import { showEntry } from '../model/show-entry.ts';
import { requireDirectorySight } from '../security/directories.ts';
import { createEntries, deleteEntries, idsOf, updateEntries } from '../store/directory-entries.ts';
import { builder } from './builder.ts';
import { asObject } from './input.ts';
import { only } from './only.ts';

/** The fields of an entry; those named by `translated` as texts for their keys. */
const properties = (entry: Entry, translated: readonly string[], { model, options }: Context) =>
  showEntry(contributedDirectory({ model }, entry.directory), entry, (name, text) =>
    translated.includes(name) ? labelText(text, options.language) : text,
  );

/** The entry that the field `parent` names; null where it names none. */
async function parentOf({ directory, properties: { parent: id } }: Entry, { model, load }: Context) {
  const { parent } = contributedDirectory({ model }, directory);
  if (parent === undefined || typeof id !== 'string' || id === '') return null;
  return load.directoryEntry.load({ directory: parent, id });
}

/** An entry of a directory. */
export const DirectoryEntry = builder.objectRef<Entry>('DirectoryEntry');

DirectoryEntry.implement({
  description: 'An entry of a directory: a word of a vocabulary, say.',
  fields: (t) => ({
    directoryName: t.exposeString('directory'),
    id: t.exposeID('id'),
    properties: t.field({
      type: 'JSON',
      description: 'By field, the id among them.',
      args: { translate: t.arg.stringList({ description: 'Fields whose label keys become their texts.' }) },
      resolve: (entry, args, context) => properties(entry, args.translate ?? [], context),
    }),
    parent: t.field({
      type: DirectoryEntry,
      nullable: true,
      description: 'The entry of the parent directory that the field of that name refers to.',
      resolve: (entry, _, context) => parentOf(entry, context),
    }),
  }),
});

builder.queryField('directoryEntry', (t) =>
  t.field({
    type: DirectoryEntry,
    description: 'An entry by its id as it stands, else by its id without the slash at its end.',
    args: { directory: t.arg.string({ required: true }), id: t.arg.id({ required: true }) },
    resolve: async (_, { directory: name, id }, { load, model, user }) => {
      requireDirectorySight(user, contributedDirectory({ model }, name));
      servedDirectory({ model }, name);
      const keys = idsOf(id).map((each) => ({ directory: name, id: each }));
      const found = (await load.directoryEntry.loadMany(keys)).find((entry) => entry !== null);
      if (found instanceof Error) throw found;
      if (!found) throw new NotFound('Entry not found');
      return found;
    },
  }),
);

const directoryName = { description: 'When given, must be the addressed directory.' } as const;

const NewDirectoryEntry = builder.inputType('NewDirectoryEntry', {
  fields: (t) => ({
    directoryName: t.string(directoryName),
    properties: t.field({ type: 'JSON', description: 'By field; the id too, unless the server makes it.' }),
  }),
});

const DirectoryEntryChange = builder.inputType('DirectoryEntryChange', {
  fields: (t) => ({
    directoryName: t.string(directoryName),
    id: t.id({ required: true, description: "Must be the addressed entry's." }),
    properties: t.field({ type: 'JSON', description: 'By field; what is absent stays, null clears.' }),
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
      return only(await createEntries(context, directory, [fresh]));
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
      return only(await updateEntries(context, directory, [{ id, change }]));
    },
  }),
  deleteDirectoryEntry: t.id({
    description: 'Takes an entry out of its directory; answers its id.',
    args: { directory: t.arg.string({ required: true }), id: t.arg.id({ required: true }) },
    resolve: async (_, { directory, id }, context) => only(await deleteEntries(context, directory, [id])),
  }),
}));
