import type { DocumentRow } from '../loaders/document-row.ts';
import type { DocumentType } from '../model/model.ts';
import { builder } from '../schema/builder.ts';
import type { Enricher } from './enricher.ts';

const Subtype = builder.objectRef<DocumentType>('Subtype').implement({
  description: 'A type that documents inside another usually have.',
  fields: (t) => ({ type: t.exposeString('name'), facets: t.exposeStringList('facets') }),
});

/** §4.9: the types that are usually created here. */
export const subtypes: Enricher<DocumentRow> = {
  name: 'subtypes',
  field: (t) =>
    t.field({
      type: [Subtype],
      resolve: ({ type }, _, { model }) =>
        (model.types.get(type)?.subtypes ?? [])
          .map((name) => model.types.get(name))
          .filter((subtype) => subtype !== undefined),
    }),
  select: () => ({ type: true, facets: true }),
};
