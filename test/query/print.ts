import type { Condition, Literal, Query } from '../../src/query/ast.ts';

const quoted = (text: string): string => `'${text.replace(/[\\']/g, '\\$&').replace(/\n/g, '\\n')}'`;

function literal(value: Literal): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value !== 'object') return String(value).toUpperCase();
  if (value.kind === 'moment') return `TIMESTAMP ${quoted(value.iso)}`;
  return `NOW(${value.duration === undefined ? '' : quoted(value.duration)})`;
}

const subject = ({ property, byDay }: Extract<Condition, { readonly byDay?: true }>): string =>
  byDay ? `DATE(${property})` : property;

/** A condition in NXQL, with more parentheses than necessary. */
export function printCondition(condition: Condition): string {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return `(${condition.of.map(printCondition).join(` ${condition.kind} `)})`;
    case 'not':
      return `NOT (${printCondition(condition.of)})`;
    case 'compare':
      return `${subject(condition)}${condition.op}${literal(condition.value)}`;
    case 'like':
      return `${condition.property} ${condition.ignoresCase ? 'ILIKE' : 'LIKE'} ${literal(condition.pattern)}`;
    case 'in':
      return `${condition.property} IN (${condition.values.map(literal).join(', ')})`;
    case 'between':
      return `${subject(condition)} BETWEEN ${literal(condition.from)} AND ${literal(condition.to)}`;
    case 'isNull':
      return `${condition.property} IS NULL`;
    case 'some':
      return printCondition(condition.of);
    default:
      return `${condition.property} STARTSWITH ${literal(condition.prefix)}`;
  }
}

/** A query in NXQL. */
export function printQuery({ select, isDistinct, from, where, orderBy }: Query): string {
  const columns =
    select === '*'
      ? '*'
      : select.map(({ property, of }) => (of ? `${of}(${property})` : property)).join(', ');
  const sorts = orderBy.map(({ property, isAscending }) => `${property} ${isAscending ? 'ASC' : 'DESC'}`);
  return [
    `SELECT ${isDistinct ? 'DISTINCT ' : ''}${columns} FROM ${from.join(', ')}`,
    ...(where ? [`WHERE ${printCondition(where)}`] : []),
    ...(sorts.length > 0 ? [`ORDER BY ${sorts.join(', ')}`] : []),
  ].join(' ');
}
