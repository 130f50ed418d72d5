import type { JsonData } from '../../extension.ts';
import { builder, Document, User } from '../../graphql/builder.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import { withMembershipIds } from '../../loaders/collections/membership-properties.ts';
import type { Context } from '../../loaders/context.ts';
import type { StoredEntry } from '../../loaders/directories/source.ts';
import { contributedFetchProperties } from '../../loaders/documents/contributed-values.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { loadReadable } from '../../loaders/documents/documents.ts';
import { schemasOf } from '../../loaders/documents/rendered-properties.ts';
import { membershipProperties } from '../../model/memberships.ts';
import type { Schema } from '../../model/model.ts';
import {
  type FoundReference,
  findReferences,
  isFetched,
  type ValuePath,
} from '../../model/values/references.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { topLevelProperty } from '../../model/values/value-location.ts';
import { DirectoryEntry } from '../directories/directory-entry.ts';

/** A resolved reference (§10.1). One of the three entities is set, or `value` if an extension replaces the property. */
interface ReferenceShape {
  readonly at: ValuePath;
  readonly user?: AuthorityRow;
  readonly directoryEntry?: StoredEntry;
  readonly document?: DocumentRow;
  readonly value?: JsonData;
}

export const Reference = builder.objectRef<ReferenceShape>('Reference').implement({
  description:
    'The entity to which an id in a document refers: user, directoryEntry or document; or the value with which an extension replaces a property.',
  fields: (t) => ({
    at: t.expose('at', { type: 'JSON', description: 'The location of the id: xpath, fields and indexes.' }),
    user: t.expose('user', { type: User, nullable: true }),
    directoryEntry: t.expose('directoryEntry', { type: DirectoryEntry, nullable: true }),
    document: t.expose('document', { type: Document, nullable: true }),
    value: t.expose('value', {
      type: 'JSON',
      nullable: true,
      description: 'The value with which an extension replaces the property.',
    }),
  }),
});

/** Resolves a reference; undefined if its target does not exist or the caller cannot read it. */
export function resolveReference(
  { path: at, target, id }: FoundReference,
  { load }: Context,
): Promise<ReferenceShape | undefined> {
  switch (target.to) {
    case 'user':
      return load.userById.load(id).then((user) => (user ? { at, user } : undefined));
    case 'directory':
      return load.directoryEntryByKey
        .load({ directory: target.directory, id })
        .then((directoryEntry) => (directoryEntry ? { at, directoryEntry } : undefined));
    case 'document':
      return loadReadable(load.documentById, [id]).then(([document]) =>
        document ? { at, document } : undefined,
      );
  }
}

function bounded(references: readonly FoundReference[], most: number): FoundReference[] {
  let documents = 0;
  return references.filter(({ target }) => target.to !== 'document' || documents++ < most);
}

async function withFetchedMemberships(
  row: DocumentRow,
  schemas: readonly Schema[],
  fetch: readonly string[],
  context: Context,
): Promise<StoredProperties> {
  const requested = membershipProperties.filter(
    (xpath) => topLevelProperty(schemas, xpath) && isFetched(xpath, fetch),
  );
  if (requested.length === 0) return row.properties;
  const stored = { ...row.properties, ...Object.fromEntries(requested.map((xpath) => [xpath, null])) };
  return (await withMembershipIds(row, stored, context)) as StoredProperties;
}

const contributed = contributedFetchProperties();

/** Loads the values with which extensions replace properties of these schemas. */
async function contributedTo(
  row: DocumentRow,
  schemas: readonly Schema[],
  fetch: readonly string[],
  context: Context,
): Promise<ReferenceShape[]> {
  const requested = contributed.filter(
    ({ xpath }) => isFetched(xpath, fetch) && topLevelProperty(schemas, xpath),
  );
  const found = await Promise.all(
    requested.map(async ({ xpath, load }) => ({ at: [xpath], value: await load(row, context) })),
  );
  return found.filter(({ value }) => value !== null);
}

const limitOf = (most: number | null | undefined): number => Math.min(most ?? 50, 1000);

builder.objectField(Document, 'references', (t) =>
  t.field({
    type: [Reference],
    description: 'The entities to which ids in the properties refer, excluding those that do not exist.',
    args: {
      fetch: t.arg.stringList({
        required: true,
        description: 'The xpaths of the ids; "properties" means all.',
      }),
      schemas: t.arg.stringList({ description: 'Restricts the result to properties of these schemas.' }),
      most: t.arg.int({
        defaultValue: 50,
        description: 'The maximum number of referenced documents, up to 1000.',
      }),
    },
    complexity: ({ most }) => ({ field: 1, multiplier: Math.max(1, limitOf(most)) }),
    resolve: async (row, { fetch, schemas: names, most }, context) => {
      const schemas = schemasOf(row, context, names);
      const stored = await withFetchedMemberships(row, schemas, fetch, context);
      const found = bounded(findReferences(schemas, stored, fetch), limitOf(most));
      const resolved = await Promise.all(found.map((reference) => resolveReference(reference, context)));
      const replaced = contributed.length > 0 ? await contributedTo(row, schemas, fetch, context) : [];
      return [...resolved.filter((reference) => reference !== undefined), ...replaced];
    },
  }),
);
