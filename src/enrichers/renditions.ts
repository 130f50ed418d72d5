import { builder } from '../graphql/builder.ts';
import { type DocumentRow, isStored } from '../loaders/documents/document-row.ts';
import { renditionsOf } from '../loaders/renditions/index.ts';
import type { Rendition } from '../loaders/renditions/rendition.ts';
import type { Enricher } from './enricher.ts';

interface RenditionOf {
  readonly rendition: Rendition;
  readonly document: DocumentRow;
}

const RenditionInfo = builder.objectRef<RenditionOf>('RenditionInfo').implement({
  description: 'A file that is generated from a document, such as a PDF.',
  fields: (t) => ({
    name: t.string({ resolve: ({ rendition }) => rendition.name }),
    kind: t.string({ resolve: ({ rendition }) => rendition.kind }),
    icon: t.string({
      description: 'The URL of the icon.',
      resolve: ({ rendition }, _, { options }) => options.links.icon(rendition.icon),
    }),
    url: t.string({
      resolve: ({ rendition, document }, _, { options }) => options.links.rendition(document, rendition.name),
    }),
  }),
});

export const renditionsEnricher: Enricher<DocumentRow> = {
  name: 'renditions',
  field: (t) =>
    t.field({
      type: [RenditionInfo],
      resolve: (document, _, context) =>
        isStored(document)
          ? renditionsOf(context, document).map((rendition) => ({ rendition, document }))
          : [],
    }),
  select: () => ({ name: true, kind: true, icon: true, url: true }),
};
