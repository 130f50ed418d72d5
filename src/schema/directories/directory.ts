import { Invalid } from '../../errors.ts';
import { asObject } from '../../graphql/as-object.ts';
import { builder } from '../../graphql/builder.ts';
import { fixedOrderPage, fixedOrderPageArguments, implementPage, pageCost } from '../../graphql/page.ts';
import type { Context } from '../../loaders/context.ts';
import { directoryEntryPage } from '../../loaders/directories/entry-pages.ts';
import { contributedDirectory, hasEntries } from '../../loaders/directories/index.ts';
import { type EntryPosition, entryPosition, type StoredEntry } from '../../loaders/directories/source.ts';
import { maxPageSize, type PageRequest, type PageShape } from '../../loaders/lists/page.ts';
import { positionalValues } from '../../loaders/search/other-providers.ts';
import { readEntryFilter } from '../../model/directories/entry-fields.ts';
import type { Directory } from '../../model/model.ts';
import { parseJson } from '../../model/values/json-budget.ts';
import { isStorableText } from '../../model/values/storable.ts';
import { mayAccessDirectory, requireDirectoryAccess } from '../../security/directories.ts';
import { otherProviderArguments, PageProviderType, resultsOf } from '../search/page-provider.ts';
import { DirectoryEntry } from './directory-entry.ts';

const DirectoryEntries = builder.objectRef<PageShape<StoredEntry>>('DirectoryEntries');
implementPage(DirectoryEntries, DirectoryEntry, 'A page of the entries of a directory.');

interface Stretch {
  readonly entries: readonly StoredEntry[];
  readonly total: number;
  readonly endCursor: string | null;
  readonly hasNextPage: boolean;
}

const DirectoryEntryStretch = builder.objectRef<Stretch>('DirectoryEntryStretch').implement({
  description: 'Entries of a directory after a cursor. The last pages are as fast as the first ones.',
  fields: (t) => ({
    entries: t.expose('entries', { type: [DirectoryEntry], complexity: { multiplier: 1 } }),
    total: t.exposeInt('total', { description: 'The number of entries that match the filter.' }),
    endCursor: t.exposeString('endCursor', { nullable: true, description: 'The cursor of the last entry.' }),
    hasNextPage: t.exposeBoolean('hasNextPage'),
  }),
});

const cursorOf = ({ ordering, id }: EntryPosition): string =>
  Buffer.from(JSON.stringify([ordering, id])).toString('base64url');

/** @throws Invalid if the cursor does not come from an earlier response */
function readCursor(cursor: string): EntryPosition {
  try {
    const json = parseJson(Buffer.from(cursor, 'base64url').toString('utf8'), 'after');
    const [ordering, id] = json as unknown[];
    if (Number.isSafeInteger(ordering) && typeof id === 'string' && isStorableText(id))
      return { ordering: ordering as number, id };
  } catch {
    // The error below is thrown for all invalid cursors.
  }
  throw new Invalid('after must be the endCursor of an earlier response.');
}

/** @throws Invalid if the number is less than 1 */
function readFirst(first: number): number {
  if (first < 1) throw new Invalid(`first must be at least 1; got ${first}.`);
  return Math.min(first, maxPageSize);
}

/**
 * A page of a directory's entries.
 * @throws Invalid
 */
const entryPage = (
  context: Context,
  directory: string,
  request: PageRequest,
): Promise<PageShape<StoredEntry>> =>
  fixedOrderPage(request, (page) => directoryEntryPage(context, directory, page));

/** @throws NotFound, Forbidden */
function visibleDirectory({ services: { model }, user }: Context, name: string): Directory {
  const directory = contributedDirectory(model, name);
  requireDirectoryAccess(user, directory);
  return directory;
}

const DirectoryType = builder.objectRef<Directory>('Directory').implement({
  description: 'A list of entries that documents refer to, such as a vocabulary.',
  fields: (t) => ({
    name: t.exposeString('name'),
    schema: t.string({ resolve: ({ schema }) => schema.name }),
    idField: t.exposeString('idField'),
    parent: t.exposeString('parent', {
      nullable: true,
      description: "The directory that contains the parents of this directory's entries.",
    }),
    types: t.exposeStringList('types'),
    page: t.field({
      type: DirectoryEntries,
      description: 'The entries, sorted by ordering, then by id.',
      args: {
        ...fixedOrderPageArguments,
        pageSize: t.arg.int({ defaultValue: maxPageSize, description: 'At most 1000; 0 and -1 mean 1000.' }),
      },
      complexity: pageCost,
      resolve: ({ name }, args, context) =>
        entryPage(context, name, { ...args, pageSize: args.pageSize ?? maxPageSize }),
    }),
    entries: t.field({
      type: DirectoryEntryStretch,
      description: 'The entries, sorted by ordering, then by id.',
      args: {
        first: t.arg.int({ defaultValue: 50, description: 'At most 1000.' }),
        after: t.arg.string({ description: 'The endCursor of the previous page.' }),
        filter: t.arg({ type: 'JSON', description: 'The required values of fields, by field name.' }),
      },
      complexity: ({ first }) => pageCost({ pageSize: first }),
      resolve: async (directory, { first, after, filter }, { load }): Promise<Stretch> => {
        const limit = readFirst(first ?? 50);
        const { total, entries } = await load.directoryEntryPages(directory.name, {
          filter: readEntryFilter(directory, asObject(filter, 'filter')),
          limit: limit + 1,
          offset: 0,
          after: typeof after === 'string' ? readCursor(after) : undefined,
        });
        const shown = entries.slice(0, limit);
        const last = shown.at(-1);
        const endCursor = last ? cursorOf(entryPosition(directory, last)) : null;
        return { entries: shown, total, endCursor, hasNextPage: entries.length > limit };
      },
    }),
  }),
});

const Directories = builder.objectRef<readonly Directory[]>('Directories').implement({
  fields: (t) => ({
    entries: t.field({ type: [DirectoryType], resolve: (directories) => [...directories] }),
  }),
});

builder.queryFields((t) => ({
  directories: t.field({
    type: Directories,
    description: 'Every directory whose entries the caller can read.',
    args: {
      types: t.arg.stringList({ description: 'Returns only directories of one of these types.' }),
      withSystem: t.arg.boolean({
        defaultValue: true,
        description: 'Whether to include the directories that the server itself uses if `types` is absent.',
      }),
    },
    resolve: (_, { types, withSystem }, { services: { model }, user }) => {
      const visible = [...model.directories.values()].filter(
        (directory) => hasEntries(directory) && mayAccessDirectory(user, directory),
      );
      const wanted = new Set(types?.filter(Boolean));
      return wanted.size > 0
        ? visible.filter((each) => each.types.some((type) => wanted.has(type)))
        : visible.filter((each) => withSystem || !each.types.includes('system'));
    },
  }),
  directory: t.field({
    type: DirectoryType,
    nullable: true,
    args: { name: t.arg.string({ required: true }) },
    resolve: (_, { name }, context) => visibleDirectory(context, name),
  }),
}));

builder.objectField(PageProviderType, 'directoryEntries', (t) =>
  t.field({
    type: DirectoryEntries,
    nullable: true,
    description: 'The directory entries that the page provider returns; null if it returns something else.',
    args: otherProviderArguments,
    complexity: pageCost,
    resolve: resultsOf('directoryEntries', async (context, provider, request) => {
      const [name = ''] = positionalValues(context, provider, request).directory ?? [];
      return entryPage(context, visibleDirectory(context, name).name, request);
    }),
  }),
);
