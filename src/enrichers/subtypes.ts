import { builder } from '../graphql/builder.ts';
import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { DocumentType } from '../model/model.ts';
import type { Enricher } from './enricher.ts';

const Subtype = builder.objectRef<DocumentType>('Subtype').implement({
  description: 'A document type that clients offer for new children.',
  fields: (t) => ({ type: t.exposeString('name'), facets: t.exposeStringList('facets') }),
});

export const subtypesEnricher: Enricher<DocumentRow> = {
  name: 'subtypes',
  field: (t) =>
    t.field({
      type: [Subtype],
      description: 'The document types that clients offer for new children.',
      resolve: ({ type }, _, { services: { model } }) =>
        (model.types.get(type)?.subtypes ?? [])
          .map((name) => model.types.get(name))
          .filter((subtype) => subtype !== undefined),
    }),
  select: () => ({ type: true, facets: true }),
};
