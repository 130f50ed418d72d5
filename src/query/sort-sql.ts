import type { Sort } from './ast.ts';
import { isEqualityOperand, operandOf, scoreProperty } from './ecm.ts';
import { indexedOrderOf } from './indexes/indexed-order.ts';
import type { Compilation, Operand } from './operand.ts';
import type { OrderKey } from './order-sql.ts';
import { QueryFault } from './query-fault.ts';
import { withPositionInErrors } from './tokens.ts';
import type { ValueKind } from './value-kind.ts';

/**
 * The relevance of a document: the sum of the ranks of all full texts of the query.
 * @throws QueryFault if it has none.
 */
function scoreOf({ wordQueries }: Compilation): Operand {
  if (wordQueries.size === 0) throw new QueryFault(`${scoreProperty} requires a condition on ecm:fulltext`);
  const ranks = [...wordQueries].map((words) => `ts_rank(d.words, ${words})`);
  return { kind: 'number', value: `(${ranks.join(' + ')})::numeric` };
}

const valueSql = ({ value, when }: Operand): string => (when ? `CASE WHEN ${when} THEN ${value} END` : value);

/** The operand of a column of the result. @throws QueryFault for a property that cannot be a column. */
export function columnOperand(property: string, compilation: Compilation): Operand {
  const operand = property === scoreProperty ? scoreOf(compilation) : operandOf(property, compilation);
  if (isEqualityOperand(operand)) throw new QueryFault(`${property} can only be used in conditions`);
  return operand.from === undefined ? { kind: operand.kind, value: valueSql(operand) } : operand;
}

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
 * Compiles sort keys of documents `d`, the most significant first. It must be called after the conditions have been
 * compiled, because a key can be the score of their full texts.
 * @throws QueryFault for a property by which results cannot be sorted.
 */
export function sortSql(orderBy: readonly Sort[], compilation: Compilation): OrderKey[] {
  compilation.budget.spend('properties to sort by', orderBy.length);
  return orderBy.map((sort) => withPositionInErrors(sort, () => keyOf(sort, compilation)));
}
