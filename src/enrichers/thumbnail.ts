import { builder } from '../graphql/builder.ts';
import { changeToken, type DocumentRow, isStored } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

const Thumbnail = builder.objectRef<DocumentRow>('Thumbnail').implement({
  description: 'A thumbnail of a document.',
  fields: (t) => ({
    url: t.string({
      nullable: true,
      resolve: (row, _, { options }) =>
        isStored(row) ? `${options.links.rendition(row, 'thumbnail', changeToken(row))}&sync=true` : null,
    }),
  }),
});

export const thumbnailEnricher: Enricher<DocumentRow> = {
  name: 'thumbnail',
  field: (t) => t.field({ type: Thumbnail, resolve: (row) => row }),
  select: () => ({ url: true }),
};
