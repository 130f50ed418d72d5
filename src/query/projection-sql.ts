import type { Projection, Query, Sort } from './ast.ts';
import { type Compilation, type Operand, plainName } from './operand.ts';
import type { OrderKey } from './order-sql.ts';
import { QueryFault } from './query-fault.ts';
import { columnOperand, sortSql } from './sort-sql.ts';
import { withPositionInErrors, withPositionOf } from './tokens.ts';

/** The SQL for a query's columns and for the order of its rows. */
export interface ProjectionSql {
  readonly names: readonly string[];
  readonly values: readonly string[];
  /**
   * A join of documents `d` with the elements of the list that is selected as a column; empty if no column is a list.
   */
  readonly joins: string;
  /** Whether the columns are aggregate functions, so that the result is a single row. */
  readonly isSingleRow: boolean;
  /**
   * The SQL expression for an element's position in the joined list: 1 for the first element, NULL for an empty list.
   */
  readonly nth?: string;
  /** The order of the documents, if it also determines the order of the rows. Otherwise, `order` sorts the rows. */
  readonly documentOrder?: readonly OrderKey[];
  readonly isDistinct: boolean;
  /**
   * The values of sort keys that are not columns. `order` refers to columns as `c0`, `c1`, … and to these keys as
   * `k0`, `k1`, ….
   */
  readonly keys: readonly string[];
  readonly order: readonly string[];
}

const element = 'list.value';

const idColumn: Projection = { property: 'ecm:uuid' };

const nameOf = ({ property, of }: Projection): string =>
  of === undefined ? property : `${of.toUpperCase()}(${property})`;

/**
 * Returns the SQL expression for a column, including its aggregate function.
 * @throws QueryFault if the function cannot be applied to the values
 */
function aggregateOf({ property, of }: Projection, { kind, value }: Operand): string {
  if (of === undefined) return value;
  const isOrdered = kind === 'number' || kind === 'string' || kind === 'date';
  const isFit = of === 'count' || kind === 'number' || (isOrdered && (of === 'min' || of === 'max'));
  if (!isFit)
    throw new QueryFault(`${of.toUpperCase()} cannot be applied to ${property}, because it is not a number`);
  return kind === 'string' || kind === 'date' ? `${of}(${value} COLLATE "C")` : `${of}(${value})`;
}

const named =
  ({ model }: Compilation) =>
  <Named extends { readonly property: string }>(one: Named): Named =>
    withPositionOf(
      one,
      withPositionInErrors(one, () => ({ ...one, property: plainName(one.property, model) })),
    );

/**
 * Returns the operands of the columns. Each element of a list becomes a row.
 * @throws QueryFault if more than one list is selected
 */
function columnsOf(columns: readonly Projection[], compilation: Compilation) {
  const operands = new Map<string, Operand>();
  const joins: string[] = [];
  const read = ({ property, of }: Projection): void => {
    if (operands.has(property)) return;
    const operand = columnOperand(property, compilation);
    const { kind, value, from, when } = operand;
    if (kind === 'object' && of !== 'count')
      throw new QueryFault(`${property} cannot be a column, because it has fields; select one of the fields`);
    if (from === undefined) {
      operands.set(property, operand);
      return;
    }
    if (joins.length > 0)
      throw new QueryFault(
        `${property} cannot be a column: only one column can be a list, and there already is one`,
      );
    const where = when ? ` WHERE ${when}` : '';
    // The elements of a JSON list are returned in their order, but rows from other tables have to be sorted.
    const isOfTable = kind === 'id' || property.startsWith('ecm:');
    const numbered = `row_number() OVER (${isOfTable ? `ORDER BY ${value}` : ''}) AS nth`;
    joins.push(
      `LEFT JOIN LATERAL (SELECT ${value} AS value, ${numbered} FROM ${from}${where}) AS list ON true`,
    );
    operands.set(property, { kind, value: element });
  };
  for (const column of columns) withPositionInErrors(column, () => read(column));
  return { operands, joins: joins.join(' ') };
}

/**
 * Compiles the columns of a query for documents `d`. The conditions must be compiled first, because a column or
 * sort key can be the score of their full-text expressions.
 * @throws QueryFault if a property cannot be a column, if functions are mixed with plain columns, or if a query
 * with DISTINCT is sorted by a property that is not a column
 */
export function projectionSql(
  { select, orderBy: sorts, isDistinct: isDistinctQuery }: Query,
  compilation: Compilation,
): ProjectionSql {
  const isDistinct = isDistinctQuery === true;
  const requested = select === '*' ? [idColumn] : select;
  compilation.budget.spend('columns', requested.length);
  const columns = requested.map(named(compilation));
  const orderBy = sorts.map(named(compilation));
  const isSingleRow = columns.some(({ of }) => of !== undefined);
  if (isSingleRow && columns.some(({ of }) => of === undefined))
    throw new QueryFault('functions and plain columns cannot be selected together');
  const { operands, joins } = columnsOf(columns, compilation);
  const nth = joins === '' ? undefined : 'list.nth';
  const sqlOf = (column: Projection): string => {
    const operand = operands.get(column.property) as Operand;
    const isRepeated = isSingleRow && nth !== undefined && operand.value !== element;
    const value = withPositionInErrors(column, () => aggregateOf(column, operand));
    return `${value}${isRepeated ? ` FILTER (WHERE coalesce(${nth}, 1) = 1)` : ''}`;
  };
  const values = columns.map(sqlOf);
  const shared = {
    names: requested.map(nameOf),
    values,
    joins,
    isSingleRow,
    isDistinct,
    ...(nth && { nth }),
  };
  const areSorted =
    isDistinct || isSingleRow || orderBy.some((sort) => operands.get(sort.property)?.value === element);
  if (!areSorted) return { ...shared, documentOrder: sortSql(orderBy, compilation), keys: [], order: [] };
  const keys: string[] = [];
  const termOf = (sort: Sort): string => {
    const index = columns.findIndex(({ property, of }) => of === undefined && property === sort.property);
    if (index < 0 && (isDistinct || isSingleRow))
      throw new QueryFault(`ORDER BY ${sort.property} is not possible, because it is not one of the columns`);
    const [key] = index < 0 ? sortSql([sort], compilation) : [];
    const name = key ? `k${keys.push(key.value) - 1}` : `c${index}`;
    return `${name} ${sort.isAscending ? 'ASC' : 'DESC'} NULLS LAST`;
  };
  const order = orderBy.map((sort) => withPositionInErrors(sort, () => termOf(sort)));
  const last = isDistinct ? columns.map((_, index) => `c${index}`) : ['id', ...(nth ? ['nth'] : [])];
  return { ...shared, keys, order: [...order, ...last] };
}
