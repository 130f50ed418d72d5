import { enrichers } from '../../enrichers/index.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { isSelected } from '../../graphql/is-selected.ts';
import { isFirstOfFolder } from '../../loaders/documents/ancestors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';

/** The enrichers' data of a document (§4.9). */
const DocumentContext = builder.objectRef<DocumentRow>('DocumentContext').implement({
  description: 'The data that enrichers add to a document.',
  fields: (t) => Object.fromEntries(enrichers.document.map(({ name, field }) => [name, field(t)])),
});

builder.objectField(Document, 'contextParameters', (t) =>
  t.field({
    type: DocumentContext,
    resolve: (row, _, { load }, info) => {
      // REST applies the same enrichers to the documents of a breadcrumb as to the document itself, so one
      // statement prefetches the data of both.
      if (isSelected(info, 'breadcrumb') && isFirstOfFolder(load.documentById, row))
        // the field itself throws the error
        for (const { name, prefetch } of enrichers.document)
          if (prefetch && isSelected(info, name)) prefetch(load, row.ancestorIds).catch(() => {});
      return row;
    },
  }),
);
