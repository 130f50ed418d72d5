import SchemaBuilder from '@pothos/core';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import type { PageShape } from './page.ts';

/** The one builder of the GraphQL schema; it defines no types but the scalars. */
export const builder = new SchemaBuilder<{
  Context: Context;
  DefaultFieldNullability: false;
  Scalars: { JSON: { Input: unknown; Output: unknown } };
}>({ defaultFieldNullability: false });

builder.scalarType('JSON', {
  description: 'Any JSON value.',
  serialize: (value) => value,
  parseValue: (value) => value,
});

builder.queryType({});
builder.mutationType({});

/** A document, by its row. */
export const Document = builder.objectRef<DocumentRow>('Document');

/** A page of documents, by its shape. */
export const Documents = builder.objectRef<PageShape<DocumentRow>>('Documents');
