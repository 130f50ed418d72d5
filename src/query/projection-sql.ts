import type { Projection, Query, Sort } from './ast.ts';
import { type Compilation, type Operand, plainName } from './operand.ts';
import type { OrderKey } from './order-sql.ts';
import { QueryFault } from './query-fault.ts';
import { columnOperand, sortSql } from './sort-sql.ts';
import { atPlaceOf, placedAs } from './tokens.ts';

export interface ProjectionSql {
  readonly names: readonly string[];
  readonly values: readonly string[];
  /** Joins of documents `d` with the elements of a list. */
  readonly joins: string;
  readonly isOne: boolean;
  /** Of the element in that list: each document has a first one, or none. */
  readonly nth?: string;
  /** Of documents, within which elements have their order; absent where records are sorted. */
  readonly documentOrder?: readonly OrderKey[];
  readonly isDistinct: boolean;
  /** Keys that are no columns, and the order by columns `c0` and keys `k0`. */
  readonly keys: readonly string[];
  readonly order: readonly string[];
}

const element = 'list.value';

const idColumn: Projection = { property: 'ecm:uuid' };

const nameOf = ({ property, of }: Projection): string =>
  of === undefined ? property : `${of.toUpperCase()}(${property})`;

/** @throws Invalid on a function that the values do not have */
function aggregateOf({ property, of }: Projection, { kind, value }: Operand): string {
  if (of === undefined) return value;
  const isOrdered = kind === 'number' || kind === 'string' || kind === 'date';
  const isFit = of === 'count' || kind === 'number' || (isOrdered && (of === 'min' || of === 'max'));
  if (!isFit) throw new QueryFault(`${of.toUpperCase()}(${property}) is of no numbers`);
  return kind === 'string' || kind === 'date' ? `${of}(${value} COLLATE "C")` : `${of}(${value})`;
}

const named =
  ({ model }: Compilation) =>
  <Named extends { readonly property: string }>(one: Named): Named =>
    placedAs(
      one,
      atPlaceOf(one, () => ({ ...one, property: plainName(one.property, model) })),
    );

/** The operands of columns: the elements of one list are rows. @throws Invalid on a second list */
function columnsOf(columns: readonly Projection[], compilation: Compilation) {
  const operands = new Map<string, Operand>();
  const joins: string[] = [];
  const read = ({ property, of }: Projection): void => {
    if (operands.has(property)) return;
    const operand = columnOperand(property, compilation);
    const { kind, value, from, when } = operand;
    if (kind === 'object' && of !== 'count') throw new QueryFault(`${property} has fields`);
    if (from === undefined) {
      operands.set(property, operand);
      return;
    }
    if (joins.length > 0) throw new QueryFault(`${property} is a second list among the columns`);
    const where = when ? ` WHERE ${when}` : '';
    // Elements of JSON come in their order, rows of other tables in any.
    const isOfTable = kind === 'id' || property.startsWith('ecm:');
    const numbered = `row_number() OVER (${isOfTable ? `ORDER BY ${value}` : ''}) AS nth`;
    joins.push(
      `LEFT JOIN LATERAL (SELECT ${value} AS value, ${numbered} FROM ${from}${where}) AS list ON true`,
    );
    operands.set(property, { kind, value: element });
  };
  for (const column of columns) atPlaceOf(column, () => read(column));
  return { operands, joins: joins.join(' ') };
}

/**
 * The columns of a query of documents `d`; after its conditions were compiled.
 * @throws Invalid on properties that cannot be columns, on functions beside columns, and on an order by
 * something else than the columns where records are distinct.
 */
export function projectionSql(
  { select, orderBy: given, isDistinct: areDistinct }: Query,
  compilation: Compilation,
): ProjectionSql {
  const isDistinct = areDistinct === true;
  const asked = select === '*' ? [idColumn] : select;
  compilation.budget.spend('columns', asked.length);
  const columns = asked.map(named(compilation));
  const orderBy = given.map(named(compilation));
  const isOne = columns.some(({ of }) => of !== undefined);
  if (isOne && columns.some(({ of }) => of === undefined))
    throw new QueryFault('functions and columns cannot be selected together');
  const { operands, joins } = columnsOf(columns, compilation);
  const nth = joins === '' ? undefined : 'list.nth';
  const sqlOf = (column: Projection): string => {
    const operand = operands.get(column.property) as Operand;
    const isRepeated = isOne && nth !== undefined && operand.value !== element;
    const value = atPlaceOf(column, () => aggregateOf(column, operand));
    return `${value}${isRepeated ? ` FILTER (WHERE coalesce(${nth}, 1) = 1)` : ''}`;
  };
  const values = columns.map(sqlOf);
  const shared = { names: asked.map(nameOf), values, joins, isOne, isDistinct, ...(nth && { nth }) };
  const areSorted =
    isDistinct || isOne || orderBy.some((sort) => operands.get(sort.property)?.value === element);
  if (!areSorted) return { ...shared, documentOrder: sortSql(orderBy, compilation), keys: [], order: [] };
  const keys: string[] = [];
  const termOf = (sort: Sort): string => {
    const index = columns.findIndex(({ property, of }) => of === undefined && property === sort.property);
    if (index < 0 && (isDistinct || isOne))
      throw new QueryFault(`ORDER BY ${sort.property}, which is not among the columns`);
    const [key] = index < 0 ? sortSql([sort], compilation) : [];
    const name = key ? `k${keys.push(key.value) - 1}` : `c${index}`;
    return `${name} ${sort.isAscending ? 'ASC' : 'DESC'} NULLS LAST`;
  };
  const order = orderBy.map((sort) => atPlaceOf(sort, () => termOf(sort)));
  const last = isDistinct ? columns.map((_, index) => `c${index}`) : ['id', ...(nth ? ['nth'] : [])];
  return { ...shared, keys, order: [...order, ...last] };
}
