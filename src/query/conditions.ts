import type { Condition } from './ast.ts';

type Conditions = ReadonlyArray<Condition | undefined>;

const joined = (kind: 'and' | 'or', conditions: Conditions): Condition | undefined => {
  const there = conditions.filter((condition) => condition !== undefined);
  return there.length > 1 ? { kind, of: there } : there[0];
};

/** Any of some conditions, of those that are there; none is none. */
export const anyOf = (conditions: Conditions): Condition | undefined => joined('or', conditions);

/** All of some conditions, of those that are there; none is none. */
export const allOf = (conditions: Conditions): Condition | undefined => joined('and', conditions);
