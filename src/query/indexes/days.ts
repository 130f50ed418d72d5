import type { Comparison } from '../ast.ts';

/** A string that sorts after all times of a day and before those of the next day. */
const endOf = (day: string): string => `${day}Z`;

/**
 * Compares the day of a date with a given day. The SQL compares the whole value with the bounds of the day, so that an
 * index on the value can be used. The SQL for `<>` is the same as for `=`, and the caller negates it.
 * @param add adds a parameter to the statement and returns its SQL
 */
export function daySql(value: string, op: Comparison, day: string, add: (text: string) => string): string {
  const begin = () => add(day);
  const end = () => add(endOf(day));
  switch (op) {
    case '<':
      return `${value} < ${begin()}`;
    case '<=':
      return `${value} < ${end()}`;
    case '>':
      return `${value} >= ${end()}`;
    case '>=':
      return `${value} >= ${begin()}`;
    default:
      return `${value} >= ${begin()} AND ${value} < ${end()}`;
  }
}
