import { enrichers } from '../enrichers/index.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { builder, Document } from './builder.ts';

/** What enrichers add to a document (§4.9). */
const DocumentContext = builder.objectRef<DocumentRow>('DocumentContext').implement({
  description: 'What is told of a document only when it is asked for.',
  fields: (t) => Object.fromEntries(enrichers.document.map(({ name, field }) => [name, field(t)])),
});

builder.objectField(Document, 'contextParameters', (t) =>
  t.field({ type: DocumentContext, resolve: (row) => row }),
);
