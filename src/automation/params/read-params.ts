import { Faults, namedFault, TooLarge } from '../../errors.ts';

import { requireStorable } from '../../model/values/storable.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { isExpression } from '../chains/expressions.ts';
import type { Param, Params, ParamValues } from './param.ts';

interface Reading {
  /**
   * Whether unknown parameters are rejected. Empty parameters and `context` are always accepted, because web forms send
   * them.
   */
  readonly isStrict?: boolean;
  /** Whether expressions are left unevaluated, for a later step. */
  readonly keepsExpressions?: boolean;
}

const oddExpression = 'expressions are supported only in chains and in the parameters of RunOperation';

/** @returns the value, or the reason for rejecting it */
function readParam(
  param: Param<unknown>,
  given: unknown,
  keepsExpressions: boolean,
): { value: unknown } | string {
  const { graphql } = param.kind;
  const isList = typeof graphql !== 'string';
  if (keepsExpressions && isExpression(given)) {
    if (isList) return { value: [given] };
    return graphql === 'String' || graphql === 'JSON' ? { value: given } : oddExpression;
  }
  const { values } = param;
  const read = param.kind.read.safeParse(given);
  const isOther = read.success && values.length > 0 && !values.includes(String(read.data));
  if ((given ?? null) === null || (given === '' && (isList || isOther || !read.success)))
    return param.isRequired ? 'is missing' : { value: param.default };
  if (!read.success) return read.error.issues[0]?.message ?? 'cannot be read';
  return isOther ? `must be one of ${values.join(', ')}` : { value: read.data };
}

/** Adds the parameter's name to the error for a string that contains too many values. */
function naming<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof TooLarge ? new TooLarge(`${name}: ${error.message}`) : error;
  }
}

/** Returns whether a value counts as not set. Forms send empty values for fields that were not filled in. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Validates the parameters of a call. Null counts as absent. An empty string also counts as absent, unless the
 * parameter is a string.
 * @throws Invalid, which names every parameter that is missing or invalid; TooLarge if a string exceeds the limit on
 * JSON values
 */
export function readParams<Of extends Params>(
  { id, params }: { readonly id: string; readonly params: Of },
  json: Readonly<Record<string, unknown>>,
  { isStrict = false, keepsExpressions = false }: Reading = {},
): ParamValues<Of> {
  requireStorable(json);
  const known = new Set<string>();
  const faults = new Faults();
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const names = [name, ...param.aliases];
    const spelling = names.find((each) => (fieldOf(json, each) ?? null) !== null) ?? name;
    const read = naming(spelling, () => readParam(param, fieldOf(json, spelling), keepsExpressions));
    for (const each of names) known.add(each);
    if (typeof read === 'string') faults.add(() => namedFault(spelling, read));
    else if (read.value !== undefined) values[name] = read.value;
  }
  for (const name of isStrict ? Object.keys(json) : [])
    if (!known.has(name) && name !== 'context' && !isEmpty(json[name]))
      faults.add(() => `${id} has no parameter ${name}`);
  faults.requireNone();
  return values as ParamValues<Of>;
}
