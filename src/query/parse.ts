import type { Condition, Projection, Query, Sort } from './ast.ts';
import { Cursor } from './cursor.ts';
import { type Bindings, literalsWith } from './literals.ts';
import { ConditionParser } from './parse-condition.ts';

export type { Bindings } from './literals.ts';

/** What is asked where nobody says. */
export const anyDocument = 'SELECT * FROM Document';

/** One and what follows after commas. */
function listed<Item>(cursor: Cursor, read: () => Item): Item[] {
  const items = [read()];
  while (cursor.takes(',')) items.push(read());
  return items;
}

const functions = ['COUNT', 'AVG', 'SUM', 'MIN', 'MAX'] as const;

function readProjection(cursor: Cursor): Projection {
  const name = cursor.isBefore('(') ? functions.find((each) => cursor.takes(each)) : undefined;
  if (!name) return { property: cursor.read('name', 'a property').value };
  cursor.needs('(');
  const { value: property } = cursor.read('name', 'a property');
  cursor.needs(')');
  return { property, of: name.toLowerCase() as Lowercase<typeof name> };
}

function readSort(cursor: Cursor): Sort {
  const { value: property } = cursor.read('name', 'a property');
  const isAscending = cursor.takes('ASC') || !cursor.takes('DESC');
  return { property, isAscending };
}

/**
 * Reads NXQL (§4.7).
 * @param bindings the values of what the query leaves open; they are values, whatever is in them.
 * @throws Invalid naming the place of the first fault, and what was expected there.
 */
export function parseQuery(text: string, bindings: Bindings): Query {
  const cursor = new Cursor(text);
  cursor.needs('SELECT');
  const isDistinct = cursor.takes('DISTINCT');
  const select = cursor.takes('*') ? '*' : listed(cursor, () => readProjection(cursor));
  cursor.needs('FROM');
  const from = listed(cursor, () => cursor.read('name', 'a type').value);
  const where = cursor.takes('WHERE') && new ConditionParser(cursor, literalsWith(bindings)).read();
  const isSorted = cursor.takes('ORDER');
  if (isSorted) cursor.needs('BY');
  const orderBy = isSorted ? listed(cursor, () => readSort(cursor)) : [];
  cursor.read('end', where ? 'AND, OR, ORDER BY or the end' : 'WHERE, ORDER BY or the end');
  return { select, ...(isDistinct && { isDistinct }), from, ...(where && { where }), orderBy };
}

/** Reads what may stand after WHERE, alone. @throws Invalid as above. */
export function parseCondition(text: string, bindings: Bindings): Condition {
  const cursor = new Cursor(text);
  const condition = new ConditionParser(cursor, literalsWith(bindings)).read();
  cursor.read('end', 'AND, OR or the end');
  return condition;
}
