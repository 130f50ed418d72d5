import type { Comparison } from '../ast.ts';

/** Sorts after all times of a day, and before those of the next one. */
const endOf = (day: string): string => `${day}Z`;

/**
 * Compares the day of a date: by ranges of the whole value, of which there may be an index. `<>` is as `=`.
 * @param add makes a text a parameter.
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
