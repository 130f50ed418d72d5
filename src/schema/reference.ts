import type { Context } from '../context.ts';
import type { Entry } from '../directories/source.ts';
import type { AuthorityRow } from '../loaders/authorities.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import { membershipProperties } from '../model/memberships.ts';
import type { Schema } from '../model/model.ts';
import { type FoundReference, findReferences, isFetched, type Path } from '../model/references.ts';
import type { StoredProperties } from '../model/stored.ts';
import { propertyOf } from '../model/value-at.ts';
import { builder, Document, User } from './builder.ts';
import { DirectoryEntry } from './directory-entry.ts';
import { withMemberships } from './memberships.ts';
import { schemasOf } from './properties.ts';

/** What an id in a document stands for (§10.1): one of the three is there. */
interface ReferenceShape {
  readonly at: Path;
  readonly user?: AuthorityRow;
  readonly directoryEntry?: Entry;
  readonly document?: DocumentRow;
}

/** What an id stands for, wherever it is. */
export const Reference = builder.objectRef<ReferenceShape>('Reference').implement({
  description: 'What an id in a document stands for: one of these.',
  fields: (t) => ({
    at: t.field({
      type: 'JSON',
      description: 'Where the id is: xpath, fields and indexes.',
      resolve: ({ at }) => at,
    }),
    user: t.field({ type: User, nullable: true, resolve: ({ user }) => user }),
    directoryEntry: t.field({
      type: DirectoryEntry,
      nullable: true,
      resolve: ({ directoryEntry }) => directoryEntry,
    }),
    document: t.field({ type: Document, nullable: true, resolve: ({ document }) => document }),
  }),
});

/** What an id stands for, as far as the caller may know; undefined where it leads to nothing. */
export async function resolveReference(
  { at, to, id }: FoundReference,
  { load }: Context,
): Promise<ReferenceShape | undefined> {
  switch (to.to) {
    case 'user': {
      const user = await load.userById.load(id);
      return user ? { at, user } : undefined;
    }
    case 'directory': {
      const directoryEntry = await load.directoryEntry.load({ directory: to.directory, id });
      return directoryEntry ? { at, directoryEntry } : undefined;
    }
    case 'document': {
      const [document] = await readableOf(load.documentById, [id]);
      return document ? { at, document } : undefined;
    }
  }
}

/** All references but those to documents beyond so many. */
function bounded(references: readonly FoundReference[], most: number): FoundReference[] {
  let documents = 0;
  return references.filter(({ to }) => to.to !== 'document' || documents++ < most);
}

/** The properties as they are stored, with the ids that memberships make where these are fetched. */
async function withFetchedMemberships(
  row: DocumentRow,
  schemas: readonly Schema[],
  fetch: readonly string[],
  context: Context,
): Promise<StoredProperties> {
  const asked = membershipProperties.filter((xpath) => propertyOf(schemas, xpath) && isFetched(xpath, fetch));
  if (asked.length === 0) return row.properties;
  const stored = { ...row.properties, ...Object.fromEntries(asked.map((xpath) => [xpath, null])) };
  return (await withMemberships(row, stored, context)) as StoredProperties;
}

builder.objectField(Document, 'references', (t) =>
  t.field({
    type: [Reference],
    description: 'What ids in the properties stand for; those that lead to nothing are left out.',
    args: {
      fetch: t.arg.stringList({ required: true, description: 'Xpaths; "properties" are all.' }),
      schemas: t.arg.stringList({ description: 'Of these alone.' }),
      most: t.arg.int({ defaultValue: 50, description: 'Of documents, at most 1000.' }),
    },
    resolve: async (row, { fetch, schemas: names, most }, context) => {
      const schemas = schemasOf(row, context, names);
      const stored = await withFetchedMemberships(row, schemas, fetch, context);
      const found = bounded(findReferences(schemas, stored, fetch), Math.min(most ?? 50, 1000));
      if (found.length === 0) return [];
      const resolved = await Promise.all(found.map((reference) => resolveReference(reference, context)));
      return resolved.filter((reference) => reference !== undefined);
    },
  }),
);
