import { Invalid } from '../../errors.ts';
import { readDate } from '../../model/values/read-value.ts';
import type { Literal } from '../ast.ts';
import type { ValueKind } from '../value-kind.ts';
import { parseBoolean } from '../values.ts';

const asText = (text: string): Literal => text;

const readers: Readonly<Record<ValueKind, (text: string, name: string) => Literal | undefined>> = {
  string: asText,
  id: asText,
  object: asText,
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: parseBoolean,
  date: (text, name) => ({ kind: 'moment', iso: readDate(text, name) }),
};

const descriptions: Partial<Record<ValueKind, string>> = { number: 'a number', boolean: 'true or false' };

/**
 * Parses the value of a parameter as a literal that can be compared with a property of the given kind.
 * @throws Invalid, which names the parameter
 */
export function literalOf(kind: ValueKind, name: string, text: string): Literal {
  const literal = readers[kind](text, name);
  if (literal === undefined)
    throw new Invalid(`${name}: "${text.slice(0, 80)}" is not ${descriptions[kind]}`);
  return literal;
}

const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** Parses the end of a range. A day is converted to its last millisecond, so that the range includes the day. */
export const rangeEndLiteral = (kind: ValueKind, name: string, text: string): Literal =>
  literalOf(kind, name, kind === 'date' && isDay(text) ? `${text}T23:59:59.999Z` : text);
