import type { Condition } from '../../query/ast.ts';
import { QueryBudget, requireShort } from '../../query/budget.ts';
import { TokenCursor } from '../../query/cursor.ts';
import { ConditionParser } from '../../query/parse-condition.ts';
import { syntaxFault } from '../../query/tokens.ts';

/** A parsed query for log entries. */
interface LogQuery {
  readonly matching?: Condition;
  readonly sortBy?: readonly string[];
  readonly sortOrder?: readonly string[];
}

function readFrom(cursor: TokenCursor): void {
  if (cursor.accept('SELECT')) cursor.read('name', 'a name');
  cursor.expect('FROM');
  const entity = cursor.read('name', 'LogEntry');
  if (entity.value !== 'LogEntry') throw syntaxFault(entity.at, 'expected LogEntry');
  cursor.accept('AS');
  if (!/^(?:where|order)$/i.test(cursor.token.value) && cursor.token.kind === 'name')
    cursor.read('name', 'a name');
}

function readOrder(cursor: TokenCursor): Pick<LogQuery, 'sortBy' | 'sortOrder'> {
  if (!cursor.accept('ORDER')) return {};
  cursor.expect('BY');
  const [sortBy, sortOrder]: [string[], string[]] = [[], []];
  const budget = new QueryBudget();
  do {
    budget.spend('properties to sort by');
    const { value } = cursor.read('name', 'a field');
    sortBy.push(value.slice(value.lastIndexOf('.') + 1));
    sortOrder.push(cursor.accept('ASC') || !cursor.accept('DESC') ? 'asc' : 'desc');
  } while (cursor.accept(','));
  return { sortBy, sortOrder };
}

/**
 * Parses a log query in the syntax of the reference implementation: `from LogEntry log where log.eventId = 'x' and
 * log.eventDate >= '2026-01-31' order by log.id desc`.
 * @throws Invalid, with the position of the syntax error
 */
export function parseLogQuery(text: string): LogQuery {
  requireShort('query', text);
  const cursor = new TokenCursor(text);
  readFrom(cursor);
  const matching = cursor.accept('WHERE')
    ? new ConditionParser(cursor, { positional: [], named: {}, variables: {} }).read()
    : undefined;
  const order = readOrder(cursor);
  cursor.read('end', 'AND, ORDER BY or the end');
  return { ...(matching && { matching }), ...order };
}
