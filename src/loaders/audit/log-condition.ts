import { isUuid } from '../../model/names.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { asTimestamp } from '../../model/values/timestamp.ts';
import { closestNames } from '../../near-names.ts';
import type { Condition, Literal } from '../../query/ast.ts';
import { escapedPattern } from '../../query/indexes/patterns.ts';
import { momentText } from '../../query/moment.ts';
import { QueryFault } from '../../query/query-fault.ts';
import { withPositionInErrors } from '../../query/tokens.ts';
import type { AddParameter } from '../lists/list-definition.ts';

interface LogField {
  readonly column: string;
  readonly type: 'text' | 'uuid' | 'bigint' | 'timestamptz';
}

const text = (column: string): LogField => ({ column, type: 'text' });

/** The fields of `log_entry l` that queries can name. */
const fields: Readonly<Record<string, LogField>> = {
  id: { column: 'l.id', type: 'bigint' },
  category: text('l.category'),
  principalName: text('l.principal_name'),
  comment: text('l.comment'),
  docLifeCycle: text('l.doc_life_cycle'),
  docPath: text('l.doc_path'),
  docType: text('l.doc_type'),
  docUUID: { column: 'l.doc_uuid', type: 'uuid' },
  eventId: text('l.event_id'),
  repositoryId: text("nullif(l.repository, '')"),
  eventDate: { column: 'l.event_date', type: 'timestamptz' },
  logDate: { column: 'l.log_date', type: 'timestamptz' },
};

/**
 * Whether all values are numbers. If they are, clients mean an entry's `id`: they compare `eventId` with the number of
 * the last entry that they have read.
 */
const isNumber = (values: readonly Literal[]): boolean =>
  values.length > 0 && values.every((value) => typeof value === 'number');

/** The field that a property such as `log.eventId` names. @throws Invalid */
function fieldOf(property: string, values: readonly Literal[] = []): LogField & { readonly name: string } {
  const name = property.slice(property.lastIndexOf('.') + 1);
  const known = name === 'eventId' && isNumber(values) ? 'id' : name;
  const field = Object.hasOwn(fields, known) ? fields[known] : undefined;
  if (field) return { name: known, ...field };
  const [closest] = closestNames(name, Object.keys(fields));
  const meant = closest === undefined ? Object.keys(fields).join(', ') : closest;
  throw new QueryFault(`"${name.slice(0, 80)}" is not a field of log entries; expected ${meant}`);
}

function textOf(name: string, value: Literal): string {
  if (typeof value === 'object') throw new QueryFault(`${name} can only be compared with a string`);
  const text = String(value);
  requireStorable(text);
  return text;
}

function momentOf(name: string, value: Literal): string {
  const moment = typeof value === 'string' ? ({ kind: 'moment', iso: value } as const) : value;
  if (typeof moment !== 'object')
    throw new QueryFault(`${name} can only be compared with a date such as 2026-01-31`);
  return asTimestamp(momentText(moment, new Date().toISOString()));
}

/**
 * Converts a value to the type of a field; returns undefined if no entry can have the value.
 * @throws Invalid
 */
function fieldValue({ name, type }: LogField & { readonly name: string }, value: Literal): unknown {
  if (type === 'timestamptz') return momentOf(name, value);
  if (type === 'text') return textOf(name, value);
  if (type === 'uuid') return isUuid(textOf(name, value)) ? value : undefined;
  const id = Number(value);
  if (!Number.isSafeInteger(id)) throw new QueryFault(`${name} can only be compared with an integer`);
  return id;
}

/**
 * Negates a condition. The result is also true if the condition is NULL, because an unset field does not match the
 * condition.
 */
const not = (condition: string): string => `(${condition}) IS NOT TRUE`;

type Of<Kind extends Condition['kind']> = Extract<Condition, { kind: Kind }>;

function compare({ property, op, value, byDay }: Omit<Of<'compare'>, 'kind'>, add: AddParameter): string {
  if (op === '<>') return not(compare({ property, op: '=', value, ...(byDay && { byDay }) }, add));
  const field = fieldOf(property, [value]);
  const { name, column, type } = field;
  if (type === 'uuid' && op !== '=')
    throw new QueryFault(`${name} has no order, so it can only be compared with = and <>`);
  const known = fieldValue(field, value);
  if (known === undefined) return 'FALSE';
  const parameter = `${add(known)}::${type}`;
  if (!byDay) return `${column} ${op} ${parameter}`;
  if (type !== 'timestamptz') throw new QueryFault(`${name} is not a date`);
  const day = (moment: string): string => `(${moment} AT TIME ZONE 'UTC')::date`;
  return `${day(column)} ${op} ${day(parameter)}`;
}

function among({ property, values }: Of<'in'>, add: AddParameter): string {
  const field = fieldOf(property, values);
  const known = values.map((value) => fieldValue(field, value)).filter((value) => value !== undefined);
  return `${field.column} = ANY(${add(known)}::${field.type}[])`;
}

function between({ property, from, to, byDay }: Of<'between'>, add: AddParameter): string {
  const end = (op: '>=' | '<=', value: Literal): string =>
    compare({ property, op, value, ...(byDay && { byDay }) }, add);
  return `${end('>=', from)} AND ${end('<=', to)}`;
}

function like({ property, pattern, ignoresCase }: Of<'like'>, add: AddParameter): string {
  const { name, column, type } = fieldOf(property);
  const op = ignoresCase ? 'ILIKE' : 'LIKE';
  if (type !== 'text') throw new QueryFault(`${op} requires a string, but ${name} is not one`);
  return `${column} ${op} ${add(escapedPattern(textOf(name, pattern)))}::text`;
}

function compile(condition: Condition, add: AddParameter): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return condition.of
        .map((each) => `(${logConditionSql(each, add)})`)
        .join(` ${condition.kind.toUpperCase()} `);
    case 'not':
      return not(logConditionSql(condition.of, add));
    case 'compare':
      return compare(condition, add);
    case 'in':
      return among(condition, add);
    case 'between':
      return between(condition, add);
    case 'like':
      return like(condition, add);
    case 'isNull':
      return `${fieldOf(condition.property).column} IS NULL`;
    case 'startsWith':
    case 'some':
      throw new QueryFault('expected =, <>, <, <=, >, >=, IN, LIKE, ILIKE, BETWEEN or IS NULL');
  }
}

/**
 * Compiles a condition of `Audit.Query` to SQL on `log_entry l`.
 * @throws Invalid, with the position in the query, for unknown fields and unsupported operators
 */
export const logConditionSql = (condition: Condition, add: AddParameter): string =>
  withPositionInErrors(condition, () => compile(condition, add));
