import type { WordScope } from '../words/query.ts';
import type { Sort } from './ast.ts';
import { isEqualityOperand, operandOf } from './ecm.ts';
import { rankedTerms, wordsSql } from './full-text.ts';
import { indexedOrderOf } from './indexes/indexed-order.ts';
import type { Compilation, Operand } from './operand.ts';
import { isByRelevance, type OrderKey, scoreProperty } from './order-sql.ts';
import { QueryFault } from './query-fault.ts';
import { withPositionInErrors } from './tokens.ts';
import type { ValueKind } from './value-kind.ts';

/**
 * Returns the relevance of a document, from 0 to 1, which is the mean of its scores in all full-text conditions of the
 * query. Documents whose title contains all words come first, followed by those that contain all words if tags and file
 * names are included, then if all other properties are included, and finally if the text of files is included. Within
 * each of these four groups, `ts_rank_cd` compares how often and how close to each other the first words occur; its
 * option 32 maps every rank to a number below 1.
 * @throws QueryFault if the query has no full-text condition
 */
function scoreOf(compilation: Compilation): Operand {
  const { wordQueries } = compilation;
  if (wordQueries.size === 0) throw new QueryFault(`${scoreProperty} requires a condition on ecm:fulltext`);
  const scores = Array.from(wordQueries, ([, { lists, scope }]) => {
    const ranked = wordsSql(rankedTerms(lists, compilation.fullTexts.analysis), compilation, scope);
    const areIn = (weight: NonNullable<WordScope['weight']>) =>
      `d.words @@ ${wordsSql(lists, compilation, { ...scope, weight })}`;
    const range = `CASE WHEN ${areIn('A')} THEN 3 WHEN ${areIn('AB')} THEN 2 WHEN ${areIn('ABC')} THEN 1 ELSE 0 END`;
    return `(${range} + ts_rank_cd(d.words, ${ranked}, 32)) / 4`;
  });
  return { kind: 'number', value: `((${scores.join(' + ')}) / ${scores.length})::numeric` };
}

/**
 * Returns the condition that the title contains the words of a full-text expression. PostgreSQL can use the
 * full-text index for it.
 */
function titleCondition(compilation: Compilation): string {
  const queries = [...compilation.wordQueries.values()].flatMap(({ lists, scope, isNegated }) =>
    isNegated || scope.property !== undefined
      ? []
      : [`d.words @@ ${wordsSql(lists, compilation, { property: titleProperty })}`],
  );
  return queries.length === 0 ? 'false' : `(${queries.join(' OR ')})`;
}

const valueSql = ({ value, when }: Operand): string => (when ? `CASE WHEN ${when} THEN ${value} END` : value);

/**
 * Returns the operand of a column in the result.
 * @throws QueryFault if the property cannot be a column
 */
export function columnOperand(property: string, compilation: Compilation): Operand {
  const operand = property === scoreProperty ? scoreOf(compilation) : operandOf(property, compilation);
  if (isEqualityOperand(operand)) throw new QueryFault(`${property} can only be used in conditions`);
  return operand.from === undefined ? { kind: operand.kind, value: valueSql(operand) } : operand;
}

const titleProperty = 'dc:title';

/** The order of documents with the same relevance. */
const latestFirst: Sort = { property: 'dc:modified', isAscending: false };

const typeOf: Readonly<Record<Exclude<ValueKind, 'object'>, OrderKey['type']>> = {
  string: 'text',
  date: 'text',
  number: 'numeric',
  boolean: 'boolean',
  id: 'uuid',
};

/** The sort keys that are columns of the view `searchable`. Most of them are never NULL. */
const columns: Readonly<Record<string, Pick<OrderKey, 'value' | 'type'> & { readonly isNullable?: true }>> = {
  'dc:title': { value: 'd.title', type: 'text' },
  'ecm:name': { value: 'd.name', type: 'text' },
  'ecm:path': { value: 'd.path', type: 'text' },
  'ecm:pos': { value: 'd.position', type: 'bigint', isNullable: true },
  'ecm:primaryType': { value: 'd.type', type: 'text' },
  'ecm:uuid': { value: 'd.id', type: 'uuid' },
  'ecm:currentLifeCycleState': { value: 'd.state', type: 'text' },
  'uid:major_version': { value: 'd.major_version', type: 'bigint' },
  'uid:minor_version': { value: 'd.minor_version', type: 'bigint' },
};

function keyOf({ property, isAscending }: Sort, compilation: Compilation): OrderKey {
  const column = Object.hasOwn(columns, property) ? columns[property] : undefined;
  if (column) return { isNullable: false, ...column, isAscending };
  const operand = property === scoreProperty ? scoreOf(compilation) : operandOf(property, compilation);
  if (isEqualityOperand(operand) || operand.from !== undefined || operand.kind === 'object')
    throw new QueryFault(`results cannot be sorted by ${property}`);
  const indexed = indexedOrderOf(operand, compilation);
  return {
    value: indexed ?? valueSql(operand),
    type: typeOf[operand.kind],
    isAscending,
    isNullable: true,
    isOppositeToIndex: operand.isColumn === true && isAscending,
    isCostly: indexed !== undefined,
  };
}

/**
 * Compiles the sort keys of documents `d`, most significant first. If the first key is the relevance, documents with
 * equal relevance are sorted by the other keys or, if there are none, most recently changed first. This function must
 * be called after the conditions have been compiled, because a key can be the score of their full-text expressions.
 * @throws QueryFault if results cannot be sorted by a property
 */
export function sortSql(orderBy: readonly Sort[], compilation: Compilation): OrderKey[] {
  compilation.budget.spend('properties to sort by', orderBy.length);
  const isRelevant = isByRelevance(orderBy);
  const sorts = isRelevant && orderBy.length === 1 ? [...orderBy, latestFirst] : orderBy;
  const [first, ...others] = sorts.map((sort) => withPositionInErrors(sort, () => keyOf(sort, compilation)));
  if (!first) return [];
  return [isRelevant ? { ...first, byTitle: titleCondition(compilation) } : first, ...others];
}
