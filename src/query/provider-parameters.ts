import { Invalid } from '../errors.ts';
import type { Bindings } from './literals.ts';

type Variables = Bindings['variables'];

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The value of a parameter, under its name or with the prefix of a schema before it. */
export function givenAs(given: Bindings['named'], name: string): unknown {
  if (Object.hasOwn(given, name) && isGiven(given[name])) return given[name];
  const spelled = Object.keys(given).find((key) => key.endsWith(`:${name}`) && isGiven(given[key]));
  return spelled === undefined ? undefined : given[spelled];
}

function textOf(name: string, value: unknown): string {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
    throw new Invalid(`${name}: expected a text, a number or a boolean`);
  return String(value);
}

function withVariable(text: string, variables: Variables): string {
  const name = text.startsWith('$') ? text.slice(1) : '';
  return (Object.hasOwn(variables, name) && variables[name]) || text;
}

function parsed(name: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Invalid(`${name}: "${text.slice(0, 80)}" is no JSON`);
  }
}

const split = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** More values than anybody chooses; a list of them is compared with every document. */
const mostValues = 1000;

/**
 * The values of a parameter that takes several: a list, the JSON of one, or words with commas between them.
 * @throws Invalid naming the parameter.
 */
export function readList(name: string, given: unknown, variables: Variables): string[] {
  const values = [given].flat().flatMap((value): unknown[] => {
    if (typeof value !== 'string') return isGiven(value) ? [value] : [];
    return /^\s*\[/.test(value) ? [parsed(name, value)].flat() : split(value);
  });
  if (values.length > mostValues)
    throw new Invalid(`${name}: ${values.length} values, at most ${mostValues}`);
  return values.map((value) => withVariable(textOf(name, value), variables));
}

/** The value of a parameter that takes one. @throws Invalid naming the parameter. */
export function readOne(name: string, given: unknown, variables: Variables): string {
  const [value, ...more] = [given].flat();
  if (more.length > 0) throw new Invalid(`${name}: ${more.length + 1} values, expected one`);
  return withVariable(textOf(name, value), variables);
}
