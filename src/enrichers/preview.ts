import { builder } from '../graphql/builder.ts';
import { changeToken, type DocumentRow } from '../loaders/documents/document-row.ts';
import { hasPages, hasPreview } from '../loaders/renditions/preview.ts';
import { blobAt } from '../model/values/document-blob.ts';
import type { Enricher } from './enricher.ts';

const Preview = builder.objectRef<DocumentRow>('Preview').implement({
  description: 'The page that shows the main file of a document.',
  fields: (t) => ({
    url: t.string({
      nullable: true,
      description: 'The URL of the page; null if there is no main file or browsers cannot show it.',
      resolve: (row, _, { services: { model, conversions }, options }) =>
        hasPreview(blobAt(model, row, ''), conversions.tools)
          ? options.links.preview(row, changeToken(row))
          : null,
    }),
    hasPages: t.boolean({
      description: 'Whether the main file is shown as pages, which the server can draw.',
      resolve: (row, _, { services: { model, conversions } }) =>
        hasPages(blobAt(model, row, ''), conversions.tools),
    }),
  }),
});

export const previewEnricher: Enricher<DocumentRow> = {
  name: 'preview',
  field: (t) => t.field({ type: Preview, resolve: (row) => row }),
  select: () => ({ url: true }),
};
