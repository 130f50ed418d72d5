import { Invalid } from '../../errors.ts';
import { JsonBudget } from '../../model/values/json-budget.ts';
import { readListText } from '../../model/values/list-text.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { QueryBudget, requireShort } from '../budget.ts';
import type { Bindings } from '../literals.ts';

type Variables = Bindings['variables'];

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** Returns the value of a parameter. Clients can add the prefix of a schema to its name. */
export function parameterValue(named: Bindings['named'], name: string): unknown {
  if (isPresent(fieldOf(named, name))) return named[name];
  const prefixed = Object.keys(named).find((key) => key.endsWith(`:${name}`) && isPresent(named[key]));
  return prefixed === undefined ? undefined : named[prefixed];
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Invalid(`${name}: expected a string, a number or a boolean`);
  const text = String(value);
  requireShort(name, text);
  return text;
}

const withVariable = (text: string, variables: Variables): string =>
  (text.startsWith('$') && fieldOf(variables, text.slice(1))) || text;

/**
 * Reads a parameter that can have several values: a list, JSON, or a comma-separated string.
 * @throws Invalid if the JSON is invalid or a value has another type; TooLarge if a string contains more items than the
 * limit on JSON values allows
 */
export function readParameterTexts(name: string, input: unknown, variables: Variables): string[] {
  const budget = new JsonBudget();
  const values = [input].flat().flatMap((value): unknown[] => {
    if (typeof value !== 'string') return isPresent(value) ? [value] : [];
    const list = readListText(value, budget);
    if (!list) throw new Invalid(`${name}: "${value.slice(0, 80)}" is not valid JSON`);
    return list;
  });
  new QueryBudget().spend('values', values.length);
  return values.map((value) => withVariable(textOf(name, value), variables));
}

/**
 * Reads a parameter with a single value.
 * @throws Invalid, which names the parameter, if there is more than one value
 */
export function readParameterText(name: string, input: unknown, variables: Variables): string {
  const [value, ...others] = [input].flat();
  if (others.length > 0) throw new Invalid(`${name}: expected one value, got ${others.length + 1}`);
  return withVariable(textOf(name, value), variables);
}
