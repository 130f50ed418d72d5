import { Invalid } from '../../errors.ts';
import { JsonBudget } from '../../model/values/json-budget.ts';
import { readListText } from '../../model/values/list-text.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { QueryBudget, requireShort } from '../budget.ts';
import type { Bindings } from '../literals.ts';

type Variables = Bindings['variables'];

const isPresent = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The value of a parameter. Clients can put a schema prefix before its name. */
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
 * Reads a parameter with any number of values: a list, or text that is JSON or comma-separated.
 * @throws Invalid for invalid JSON and other types; TooLarge for a text with more items than JSON can have values.
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

/** Reads a parameter with one value. @throws Invalid that names the parameter if there are several. */
export function readParameterText(name: string, input: unknown, variables: Variables): string {
  const [value, ...others] = [input].flat();
  if (others.length > 0) throw new Invalid(`${name}: expected one value, got ${others.length + 1}`);
  return withVariable(textOf(name, value), variables);
}
