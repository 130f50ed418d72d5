import type { Condition } from './ast.ts';

type Conditions = ReadonlyArray<Condition | undefined>;

const join = (kind: 'and' | 'or', conditions: Conditions): Condition | undefined => {
  const of = conditions.filter((condition) => condition !== undefined);
  return of.length > 1 ? { kind, of } : of[0];
};

/**
 * Joins conditions by OR. Undefined conditions are ignored. The result is undefined if all conditions are undefined.
 */
export const anyCondition = (conditions: Conditions): Condition | undefined => join('or', conditions);

/**
 * Joins conditions by AND. Undefined conditions are ignored. The result is undefined if all conditions are undefined.
 */
export const allConditions = (conditions: Conditions): Condition | undefined => join('and', conditions);
