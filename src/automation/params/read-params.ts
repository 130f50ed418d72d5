import { Faults, namedFault, TooLarge } from '../../errors.ts';

import { requireStorable } from '../../model/values/storable.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { isExpression } from '../chains/expressions.ts';
import type { Param, Params, ParamValues } from './param.ts';

interface Reading {
  /** Refuses unknown parameters, except empty ones and `context`, which web forms send. */
  readonly isStrict?: boolean;
  /** Leaves expressions unevaluated, for a later step. */
  readonly keepsExpressions?: boolean;
}

const oddExpression = 'expressions are only supported here in chains and in the parameters of RunOperation';

/** @returns the value, or the reason why it is refused. */
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

/** Prefixes the parameter's name to the error for a text with too many values. */
function naming<Value>(name: string, read: () => Value): Value {
  try {
    return read();
  } catch (error) {
    throw error instanceof TooLarge ? new TooLarge(`${name}: ${error.message}`) : error;
  }
}

/** Whether a value counts as unset. Forms send empty values for fields that were not filled in. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/**
 * Validates the parameters of a call. Null counts as absent; an empty text also does, unless the parameter is
 * a text.
 * @throws Invalid naming every parameter that is missing or invalid; TooLarge for a text with more values
 * than JSON may have.
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
