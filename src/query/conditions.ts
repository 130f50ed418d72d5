import type { Condition } from './ast.ts';

type Conditions = ReadonlyArray<Condition | undefined>;

const join = (kind: 'and' | 'or', conditions: Conditions): Condition | undefined => {
  const of = conditions.filter((condition) => condition !== undefined);
  return of.length > 1 ? { kind, of } : of[0];
};

/** Undefined conditions are skipped; undefined if all are. */
export const anyCondition = (conditions: Conditions): Condition | undefined => join('or', conditions);

export const allConditions = (conditions: Conditions): Condition | undefined => join('and', conditions);
