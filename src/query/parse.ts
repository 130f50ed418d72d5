import type { Condition, Projection, Query, Sort } from './ast.ts';
import { TokenCursor } from './cursor.ts';
import type { Bindings } from './literals.ts';
import { ConditionParser } from './parse-condition.ts';
import { withPosition } from './tokens.ts';

export const allDocumentsQuery = 'SELECT * FROM Document';

function commaSeparated<Item>(cursor: TokenCursor, read: () => Item): Item[] {
  const items = [read()];
  while (cursor.accept(',')) items.push(read());
  return items;
}

const positionedItems = <Part extends object>(
  cursor: TokenCursor,
  read: (cursor: TokenCursor) => Part,
): Part[] =>
  commaSeparated(cursor, () => {
    const { at } = cursor.token;
    return withPosition(read(cursor), [at]);
  });

const functions = ['COUNT', 'AVG', 'SUM', 'MIN', 'MAX'] as const;

function readProjection(cursor: TokenCursor): Projection {
  const name = cursor.isFollowedBy('(') ? functions.find((each) => cursor.accept(each)) : undefined;
  if (!name) return { property: cursor.read('name', 'a property').value };
  cursor.expect('(');
  const { value: property } = cursor.read('name', 'a property');
  cursor.expect(')');
  return { property, of: name.toLowerCase() as Lowercase<typeof name> };
}

function readSort(cursor: TokenCursor): Sort {
  const { value: property } = cursor.read('name', 'a property');
  const isAscending = cursor.accept('ASC') || !cursor.accept('DESC');
  return { property, isAscending };
}

/**
 * Parses NXQL (§4.7).
 * @throws QueryFault, with the position of the first error and what was expected there
 */
export function parseQuery(text: string, bindings: Bindings): Query {
  const cursor = new TokenCursor(text);
  cursor.expect('SELECT');
  const isDistinct = cursor.accept('DISTINCT');
  const select = cursor.accept('*') ? '*' : positionedItems(cursor, readProjection);
  cursor.expect('FROM');
  const types = commaSeparated(cursor, () => cursor.read('name', 'a type'));
  const from = withPosition(
    types.map(({ value }) => value),
    types.map(({ at }) => at),
  );
  const where = cursor.accept('WHERE') && new ConditionParser(cursor, bindings).read();
  const isSorted = cursor.accept('ORDER');
  if (isSorted) cursor.expect('BY');
  const orderBy = isSorted ? positionedItems(cursor, readSort) : [];
  cursor.read('end', where ? 'AND, OR, ORDER BY or the end' : 'WHERE, ORDER BY or the end');
  return { select, ...(isDistinct && { isDistinct }), from, ...(where && { where }), orderBy };
}

/**
 * Parses a condition, without the word `WHERE`.
 * @throws QueryFault in the same cases as `parseQuery`
 */
export function parseCondition(text: string, bindings: Bindings): Condition {
  const cursor = new TokenCursor(text);
  const condition = new ConditionParser(cursor, bindings).read();
  cursor.read('end', 'AND, OR or the end');
  return condition;
}
