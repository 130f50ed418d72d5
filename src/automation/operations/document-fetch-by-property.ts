import type { Condition } from '../../query/ast.ts';
import { readCondition } from '../../query/read-query.ts';
import { text, texts } from '../kinds.ts';
import { operation } from '../operation.ts';
import { optional, required } from '../params.ts';

/** As many as there may be. */
const all = { pageSize: 0, offset: 0, maxResults: undefined, sortBy: [], sortOrder: [] };

/** Documents by a value that they have (§4.7). */
export const documentFetchByProperty = operation({
  id: 'Document.FetchByProperty',
  label: 'Fetch By Property',
  category: 'Fetch',
  description: 'Answers the documents, at most 1000, of which a property is one of some values.',
  kind: 'query',
  takes: ['void'],
  gives: 'documents',
  params: {
    property: required(text, 'An xpath, or an ecm: property.'),
    values: required(texts, 'What it may be.'),
    query: optional(text, 'What must hold besides: a condition in NXQL.'),
  },
  run: async (context, _, { property, values, query }) => {
    const isOne: Condition = { kind: 'in', property, values };
    const where: Condition = query
      ? { kind: 'and', of: [isOne, await readCondition(context, query)] }
      : isOne;
    const { rows, total } = await context.load.search(
      { select: '*', from: ['Document'], where, orderBy: [] },
      all,
    );
    return { entries: rows, resultsCount: total };
  },
});
