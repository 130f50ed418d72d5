import type { Sort } from './ast.ts';
import { isEqualityOperand, operandOf, scoreProperty } from './ecm.ts';
import { keptOrderOf } from './indexes/kept-order.ts';
import type { Compilation, Operand } from './operand.ts';
import type { OrderKey } from './order-sql.ts';
import { QueryFault } from './query-fault.ts';
import { atPlaceOf } from './tokens.ts';
import type { ValueKind } from './value-kind.ts';

/** How well the words of all full texts of the query fit. @throws Invalid where it has none */
function scoreOf({ sought }: Compilation): Operand {
  if (sought.size === 0) throw new QueryFault(`${scoreProperty} needs a condition on ecm:fulltext`);
  const ranks = [...sought].map((words) => `ts_rank(d.words, ${words})`);
  return { kind: 'number', value: `(${ranks.join(' + ')})::numeric` };
}

const valueSql = ({ value, when }: Operand): string => (when ? `CASE WHEN ${when} THEN ${value} END` : value);

/** A value of documents `d` that may be a column of the result. @throws Invalid where it is none */
export function columnOperand(property: string, compilation: Compilation): Operand {
  const operand = property === scoreProperty ? scoreOf(compilation) : operandOf(property, compilation);
  if (isEqualityOperand(operand)) throw new QueryFault(`${property} has its place in conditions`);
  return operand.from === undefined ? { kind: operand.kind, value: valueSql(operand) } : operand;
}

const typeOf: Readonly<Record<Exclude<ValueKind, 'object'>, OrderKey['type']>> = {
  string: 'text',
  date: 'text',
  number: 'numeric',
  boolean: 'boolean',
  id: 'uuid',
};

/** Sort keys with the types of their columns, most of which are never unset. */
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
    throw new QueryFault(`${property} is not a property that can be sorted by`);
  const kept = keptOrderOf(operand, compilation);
  return {
    value: kept ?? valueSql(operand),
    type: typeOf[operand.kind],
    isAscending,
    isNullable: true,
    isAgainstIndex: operand.isColumn === true && isAscending,
    isCostly: kept !== undefined,
  };
}

/**
 * Sort keys of documents `d`, the most significant first; after the conditions were compiled.
 * @throws Invalid on a property without order.
 */
export function sortSql(orderBy: readonly Sort[], compilation: Compilation): OrderKey[] {
  compilation.budget.spend('properties to sort by', orderBy.length);
  return orderBy.map((sort) => atPlaceOf(sort, () => keyOf(sort, compilation)));
}
