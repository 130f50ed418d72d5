import { builder } from '../graphql/builder.ts';
import { changeToken, type DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

const Thumbnail = builder.objectRef<DocumentRow>('Thumbnail').implement({
  description: 'A small picture of a document.',
  fields: (t) => ({
    url: t.string({
      resolve: (row, _, { options }) =>
        `${options.links.rendition(row, 'thumbnail', changeToken(row))}&sync=true`,
    }),
  }),
});

export const thumbnailEnricher: Enricher<DocumentRow> = {
  name: 'thumbnail',
  field: (t) => t.field({ type: Thumbnail, resolve: (row) => row }),
  select: () => ({ url: true }),
};
