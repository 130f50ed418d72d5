import { enrichers } from '../../enrichers/index.ts';
import { builder, Document } from '../../graphql/builder.ts';
import { isSelected } from '../../graphql/is-selected.ts';
import { isFirstOfFolder } from '../../loaders/documents/ancestors.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';

/** The data that enrichers add to a document (§4.9). */
const DocumentContext = builder.objectRef<DocumentRow>('DocumentContext').implement({
  description: 'The data that enrichers add to a document.',
  fields: (t) => Object.fromEntries(enrichers.document.map(({ name, field }) => [name, field(t)])),
});

builder.objectField(Document, 'contextParameters', (t) =>
  t.field({
    type: DocumentContext,
    resolve: (row, _, { load }, info) => {
      // REST applies the same enrichers to the documents of a breadcrumb as to the document itself, so one
      // statement prefetches the data of all these documents.
      if (isSelected(info, 'breadcrumb') && isFirstOfFolder(load.documentById, row))
        // Errors are ignored here, because the field itself throws them.
        for (const { name, prefetch } of enrichers.document)
          if (prefetch && isSelected(info, name)) prefetch(load, row.ancestorIds).catch(() => {});
      return row;
    },
  }),
);
