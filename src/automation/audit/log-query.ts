import { Invalid } from '../../errors.ts';
import { isLikedField, type LikedField, likedFields } from '../../loaders/audit/log-entries.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import type { Condition, Literal } from '../../query/ast.ts';
import { TokenCursor } from '../../query/cursor.ts';
import { momentText } from '../../query/moment.ts';
import { ConditionParser } from '../../query/parse-condition.ts';
import { syntaxFault } from '../../query/tokens.ts';

/** What a query of the log asks for, in the names of `Audit.Query`. */
interface LogQuery {
  eventId?: readonly string[];
  category?: readonly string[];
  principalName?: readonly string[];
  docUUID?: readonly string[];
  /** The first and the last moment, in ISO 8601. */
  startEventDate?: string;
  endEventDate?: string;
  /** The first and the last id. */
  fromId?: number;
  toId?: number;
  /** Patterns of LIKE, by the field. */
  like?: Readonly<Partial<Record<LikedField, readonly string[]>>>;
  sortBy?: readonly string[];
  sortOrder?: readonly string[];
}

const listed = ['eventId', 'category', 'principalName', 'docUUID'] as const;

const served = `query: conditions are = and IN on ${listed.join(', ')}, LIKE on ${likedFields.join(', ')}, comparisons and BETWEEN on eventDate and id, joined by AND, and by OR where they are about one field and have = or IN`;

const fieldOf = (property: string): string => property.slice(property.lastIndexOf('.') + 1);

function put<Name extends keyof LogQuery>(query: LogQuery, name: Name, value: LogQuery[Name]): void {
  if (query[name] !== undefined) throw new Invalid(`query: more than one condition on ${name}`);
  query[name] = value;
}

function momentOf(literal: Literal, milliseconds: number): string {
  const text = typeof literal === 'object' && literal.kind === 'moment' ? literal.iso : literal;
  if (typeof text !== 'string')
    throw new Invalid('query: eventDate is compared with a date, such as 2026-01-31');
  const time = Date.parse(momentText({ kind: 'moment', iso: text }, ''));
  return asTimestamp(new Date(time + milliseconds).toISOString());
}

function putDate(query: LogQuery, op: string, value: Literal): void {
  if (op === '<>') throw new Invalid(served);
  if (!op.startsWith('<')) put(query, 'startEventDate', momentOf(value, op === '>' ? 1 : 0));
  if (!op.startsWith('>')) put(query, 'endEventDate', momentOf(value, op === '<' ? -1 : 0));
}

/** The largest whole number that JSON holds exactly. */
const maxId = Number.MAX_SAFE_INTEGER;

function putId(query: LogQuery, op: string, value: Literal): void {
  const id = Number(value);
  if (!Number.isSafeInteger(id)) throw new Invalid('query: id is compared with an integer');
  if (op === '<>') throw new Invalid(served);
  if (!op.startsWith('<')) put(query, 'fromId', Math.min(maxId, op === '>' ? id + 1 : id));
  if (!op.startsWith('>')) put(query, 'toId', op === '<' ? id - 1 : id);
}

/** What clients call the id: they compare `eventId` with the number of the last entry that they have read. */
const isId = (property: string, value: Literal): boolean =>
  fieldOf(property) === 'id' || (fieldOf(property) === 'eventId' && typeof value === 'number');

/** The values of one field that a condition is about, where it is =, IN, or these joined by OR. */
function valuesOf(condition: Condition): { readonly property: string; readonly values: readonly Literal[] } {
  if (condition.kind === 'in') return condition;
  if (condition.kind === 'compare' && condition.op === '=')
    return { property: condition.property, values: [condition.value] };
  if (condition.kind !== 'or') throw new Invalid(served);
  const parts = condition.of.map(valuesOf);
  const [property = ''] = parts.map((part) => part.property);
  if (parts.some((part) => fieldOf(part.property) !== fieldOf(property))) throw new Invalid(served);
  return { property, values: parts.flatMap(({ values }) => values) };
}

function putLike(query: LogQuery, property: string, pattern: string): void {
  const name = fieldOf(property);
  if (!isLikedField(name)) throw new Invalid(served);
  if (query.like?.[name] !== undefined) throw new Invalid(`query: more than one condition LIKE on ${name}`);
  query.like = { ...query.like, [name]: [pattern] };
}

function putValues(query: LogQuery, property: string, values: readonly Literal[]): void {
  const name = listed.find((each) => each === fieldOf(property));
  if (!name) throw new Invalid(served);
  put(query, name, values.map(String));
}

function fill(query: LogQuery, condition: Condition): void {
  if (condition.kind === 'and') {
    for (const one of condition.of) fill(query, one);
  } else if (condition.kind === 'between') {
    const { property, from, to } = condition;
    const putEnd = fieldOf(property) === 'eventDate' ? putDate : isId(property, from) ? putId : undefined;
    if (!putEnd) throw new Invalid(served);
    putEnd(query, '>=', from);
    putEnd(query, '<=', to);
  } else if (condition.kind === 'like' && !condition.ignoresCase) {
    putLike(query, condition.property, condition.pattern);
  } else if (condition.kind === 'compare' && fieldOf(condition.property) === 'eventDate') {
    putDate(query, condition.op, condition.value);
  } else if (condition.kind === 'compare' && isId(condition.property, condition.value)) {
    putId(query, condition.op, condition.value);
  } else {
    const { property, values } = valuesOf(condition);
    putValues(query, property, values);
  }
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

/**
 * Parses what administrators ask the log of the reference implementation:
 * `from LogEntry log where log.eventId = 'x' and log.eventDate >= '2026-01-31' order by log.id desc`.
 * @throws Invalid with the position of a fault, and for conditions that are not served.
 */
export function parseLogQuery(text: string): LogQuery {
  const cursor = new TokenCursor(text);
  readFrom(cursor);
  const query: LogQuery = {};
  if (cursor.accept('WHERE'))
    fill(query, new ConditionParser(cursor, { positional: [], named: {}, variables: {} }).read());
  if (cursor.accept('ORDER')) {
    cursor.expect('BY');
    query.sortBy = [fieldOf(cursor.read('name', 'a field').value)];
    query.sortOrder = [cursor.accept('ASC') || !cursor.accept('DESC') ? 'asc' : 'desc'];
  }
  cursor.read('end', 'AND, ORDER BY or the end');
  return query;
}
