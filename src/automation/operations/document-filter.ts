import type { Context } from '../../context.ts';
import type { DocumentRow } from '../../loaders/document-row.ts';
import { facetsOf } from '../../model/facets-of.ts';
import { documentAt } from '../document-at.ts';
import { text, texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional } from '../params.ts';

/** What documents must be; what is not said does not matter. */
interface Wish {
  readonly types?: readonly string[] | undefined;
  readonly facet?: string | undefined;
  readonly lifecycle?: string | undefined;
  readonly pathStartsWith?: string | undefined;
}

const fits = ({ model }: Context, row: DocumentRow, wish: Wish): boolean => {
  const { types = [], facet, lifecycle, pathStartsWith = '' } = wish;
  return (
    (types.length === 0 || types.includes(row.type)) &&
    (!facet || facetsOf(model, row).includes(facet)) &&
    (!lifecycle || row.state === lifecycle) &&
    row.path.startsWith(pathStartsWith)
  );
};

/** Those of some documents that are as they should be. */
export const documentFilter = operation({
  id: 'Document.Filter',
  label: 'Filter List',
  category: 'Document',
  description: 'Answers those of the input documents that fit everything that is said, in their order.',
  kind: 'query',
  takes: ['documents'],
  gives: 'documents',
  params: {
    types: optional(texts, 'Types, of which the document has one.'),
    facet: optional(text, 'A facet that it has.'),
    lifecycle: optional(text, 'Its state.'),
    pathStartsWith: optional(text, 'What its path begins with.'),
  },
  run: async (context, documents, wish) => {
    const rows = await Promise.all(documents.map((reference) => documentAt(context, reference)));
    return { entries: rows.filter((row) => fits(context, row, wish)) };
  },
});
