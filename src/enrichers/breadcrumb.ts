import type { DocumentRow } from '../loaders/document-row.ts';
import { readableOf } from '../loaders/documents.ts';
import { DocumentList } from '../schema/builder.ts';
import { Field } from '../selection.ts';
import { readAhead, readingAhead } from './ahead.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: the ancestors that the caller may read, the root first, without the document itself. */
export const breadcrumb: Enricher<DocumentRow> = {
  name: 'breadcrumb',
  field: (t) =>
    t.field({
      type: DocumentList,
      description: 'The ancestors that the caller may read, the root first.',
      complexity: { field: 1, multiplier: 10 },
      args: {
        ahead: t.arg.stringList({ description: 'What they will be asked for in their contextParameters.' }),
      },
      resolve: async ({ ancestorIds }, { ahead }, { load }) => {
        const [entries] = await Promise.all([
          readableOf(load.documentById, ancestorIds),
          ahead && readAhead(load, ahead, ancestorIds),
        ]);
        return { entries };
      },
    }),
  select: ({ documents, enrichers }) => {
    const ahead = readingAhead(enrichers);
    return ahead.length > 0 ? new Field({ arguments: { ahead }, of: documents }) : documents;
  },
};
