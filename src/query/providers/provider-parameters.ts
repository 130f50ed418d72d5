import { Invalid } from '../../errors.ts';
import { JsonBudget } from '../../model/values/json-budget.ts';
import { readListText } from '../../model/values/list-text.ts';
import { fieldOf } from '../../model/values/stored.ts';
import { QueryBudget, requireShort } from '../budget.ts';
import type { Bindings } from '../literals.ts';

type Variables = Bindings['variables'];

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The value of a parameter; clients may put a schema prefix before its name. */
export function parameterValue(named: Bindings['named'], name: string): unknown {
  if (isGiven(fieldOf(named, name))) return named[name];
  const prefixed = Object.keys(named).find((key) => key.endsWith(`:${name}`) && isGiven(named[key]));
  return prefixed === undefined ? undefined : named[prefixed];
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Invalid(`${name}: expected a text, a number or a boolean`);
  const text = String(value);
  requireShort(name, text);
  return text;
}

const withVariable = (text: string, variables: Variables): string =>
  (text.startsWith('$') && fieldOf(variables, text.slice(1))) || text;

/** @throws Invalid; TooLarge for a text with more items than JSON may have values. */
export function readParameterTexts(name: string, given: unknown, variables: Variables): string[] {
  const budget = new JsonBudget();
  const values = [given].flat().flatMap((value): unknown[] => {
    if (typeof value !== 'string') return isGiven(value) ? [value] : [];
    const list = readListText(value, budget);
    if (!list) throw new Invalid(`${name}: "${value.slice(0, 80)}" is not valid JSON`);
    return list;
  });
  new QueryBudget().spend('values', values.length);
  return values.map((value) => withVariable(textOf(name, value), variables));
}

/** @throws Invalid naming the parameter when there are several values. */
export function readParameterText(name: string, given: unknown, variables: Variables): string {
  const [value, ...others] = [given].flat();
  if (others.length > 0) throw new Invalid(`${name}: ${others.length + 1} values, expected one`);
  return withVariable(textOf(name, value), variables);
}
