import type { Context } from '../../../loaders/context.ts';
import type { DocumentRow } from '../../../loaders/documents/document-row.ts';
import { facetsOf } from '../../../model/facets-of.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { fewTexts, text, unserved } from '../../params/kinds.ts';
import type { ParamValues } from '../../params/param.ts';

const params = {
  types: fewTexts.optional('The document must have one of these types.'),
  facet: text.optional('A facet that the document must have.'),
  lifecycle: text.optional('The life cycle state that the document must have.'),
  pathStartsWith: text.optional('The prefix with which the path must begin.'),
  condition: unserved.optional('Must be empty, because conditions are not supported.'),
  class: unserved.optional('Must be empty, because documents have no classes.'),
};

const matches = (
  { services: { model } }: Context,
  row: DocumentRow,
  filter: ParamValues<typeof params>,
): boolean => {
  const { types = [], facet, lifecycle, pathStartsWith = '' } = filter;
  return (
    (types.length === 0 || types.includes(row.type)) &&
    (!facet || facetsOf(model, row).includes(facet)) &&
    (!lifecycle || row.state === lifecycle) &&
    row.path.startsWith(pathStartsWith)
  );
};

export const documentFilter = operation({
  id: 'Document.Filter',
  label: 'Filter List',
  description: 'Returns those input documents that satisfy all conditions, in the same order.',
  example: {
    input: ['/default-domain/workspaces/report', '/default-domain/workspaces/archive'],
    params: { types: ['File'] },
  },
  takes: ['documents'],
  needs: 'Read',
  gives: 'documents',
  params,
  run: async (context, documents, filter) => {
    const rows = await Promise.all(documents.map((reference) => documentAt(context, reference)));
    return { entries: rows.filter((row) => matches(context, row, filter)) };
  },
});
