import { DocumentList } from '../graphql/builder.ts';
import { readableAncestors } from '../loaders/documents/ancestors.ts';
import { type DocumentRow, isStored } from '../loaders/documents/document-row.ts';
import { call } from '../selection/selection.ts';
import type { Enricher } from './enricher.ts';

export const breadcrumbEnricher: Enricher<DocumentRow> = {
  name: 'breadcrumb',
  field: (t) =>
    t.field({
      type: DocumentList,
      description: 'The ancestors that the caller can read, starting at the root.',
      args: {
        withRoot: t.arg.boolean({ defaultValue: true, description: 'Whether to include the root.' }),
        withItself: t.arg.boolean({
          defaultValue: false,
          description: 'Whether to append the document itself, if it is stored.',
        }),
      },
      complexity: { field: 1, multiplier: 10 },
      resolve: async (row, { withRoot, withItself }, { load }) => {
        const ancestors = await readableAncestors(load.documentById, row);
        const all = withItself && isStored(row) ? [...ancestors, row] : ancestors;
        return { entries: withRoot ? all : all.filter(({ path }) => path !== '/') };
      },
    }),
  select: ({ documents, forms }) => call(forms.breadcrumb, documents),
};
