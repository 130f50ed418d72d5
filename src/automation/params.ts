import { Invalid } from '../errors.ts';
import { requireStorable } from '../model/storable.ts';
import type { ParamKind } from './kinds.ts';

/** A parameter of an operation. */
export interface Param<Value> {
  readonly kind: ParamKind<unknown>;
  readonly description: string;
  readonly isRequired: boolean;
  /** What it is when nobody says. */
  readonly default?: Value;
  /** Names that clients use for it besides. */
  readonly aliases: readonly string[];
  /** All it can be; anything of its kind when empty. */
  readonly values: readonly string[];
}

/** The name of a parameter as an argument in the schema, which takes letters, digits and `_` alone. */
export const argumentName = (name: string): string => name.replace(/\W/g, '_');

/** The parameters of an operation by name. */
export type Params = Readonly<Record<string, Param<unknown>>>;

/** What an operation is given for its parameters. */
export type ParamValues<Of extends Params> = {
  readonly [Name in keyof Of]: Of[Name] extends Param<infer Value> ? Value : never;
};

type More = Partial<Pick<Param<unknown>, 'aliases' | 'values'>>;

const plain = { aliases: [], values: [] };

/** A parameter that must be given. */
export const required = <Value>(
  kind: ParamKind<Value>,
  description: string,
  more: More = {},
): Param<Value> => ({
  ...{ kind, description, isRequired: true },
  ...plain,
  ...more,
});

/** A parameter that may be left out. */
export const optional = <Value>(
  kind: ParamKind<Value>,
  description: string,
  more: More = {},
): Param<Value | undefined> => ({
  ...{ kind, description, isRequired: false },
  ...plain,
  ...more,
});

/** A parameter that has a value when it is left out. */
export const optionally = <Value>(
  kind: ParamKind<Value>,
  value: Value,
  description: string,
  more: More = {},
): Param<Value> => ({
  ...{ kind, description, isRequired: false, default: value },
  ...plain,
  ...more,
});

/** What stands for an expression that another server would work out. */
const isExpression = (value: unknown): boolean => typeof value === 'string' && /^\s*expr:/.test(value);

/** One value. @returns what is wrong with it, in words. */
function faultOf(param: Param<unknown>, given: unknown): { value: unknown } | string {
  const read = param.kind.read.safeParse(given);
  if (given === undefined || given === null || (given === '' && !read.success))
    return param.isRequired ? 'is missing' : { value: param.default };
  if (isExpression(given)) return 'expressions (expr:) are not served';
  if (!read.success) return read.error.issues[0]?.message ?? 'cannot be read';
  if (param.values.length > 0 && !param.values.includes(String(read.data)))
    return `is none of ${param.values.join(', ')}`;
  return { value: read.data };
}

/** What a form sends for a field that nobody filled in. */
const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** Whether a parameter that an operation does not have does no harm: web forms send the context of a call here, too. */
const isHarmless = (name: string, value: unknown): boolean => name === 'context' || isEmpty(value);

/**
 * Reads the parameters of an operation; null, and an empty text that cannot be the value, are the same as left out.
 * @throws Invalid naming every one that is missing, unknown, or not of its kind.
 */
export function readParams<Of extends Params>(
  { id, params }: { readonly id: string; readonly params: Of },
  json: Readonly<Record<string, unknown>>,
): ParamValues<Of> {
  requireStorable(json);
  const left = new Map(Object.entries(json));
  const faults: string[] = [];
  const values: Record<string, unknown> = {};
  for (const [name, param] of Object.entries(params)) {
    const names = [name, ...param.aliases];
    const spelling = names.find((each) => (left.get(each) ?? null) !== null) ?? name;
    const found = faultOf(param, left.get(spelling));
    for (const each of names) left.delete(each);
    if (typeof found === 'string') faults.push(`${spelling}: ${found}`);
    else if (found.value !== undefined) values[name] = found.value;
  }
  for (const [name, value] of left)
    if (!isHarmless(name, value)) faults.push(`${name}: ${id} has no such parameter`);
  if (faults.length > 0) throw new Invalid(faults.join('; '));
  return values as ParamValues<Of>;
}
