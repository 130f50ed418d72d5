import { maxPageSize } from '../../../loaders/lists/page.ts';
import type { Condition } from '../../../query/ast.ts';
import { readCondition } from '../../../query/read-query.ts';
import { operation } from '../../operation.ts';
import { text, texts } from '../../params/kinds.ts';

const firstPage = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

export const documentFetchByProperty = operation({
  id: 'Document.FetchByProperty',
  label: 'Fetch By Property',
  category: 'Fetch',
  description: 'Returns at most 1000 documents whose property has one of the given values.',
  example: { params: { property: 'dc:title', values: ['The report'] } },
  gives: 'documents',
  params: {
    property: text.required('An xpath, or a property that begins with ecm:.'),
    values: texts.required('The values; the property must have one of them.'),
    query: text.optional('An additional condition in NXQL.'),
  },
  run: async (context, _, { property, values, query }) => {
    const isOne: Condition = { kind: 'in', property, values };
    const where: Condition = query
      ? { kind: 'and', of: [isOne, await readCondition(context, query)] }
      : isOne;
    const { rows, total, countLimit } = await context.load.search(
      { select: '*', from: ['Document'], where, orderBy: [] },
      firstPage,
    );
    return { entries: rows, ...(rows.length === maxPageSize && { resultsCount: total, countLimit }) };
  },
});
