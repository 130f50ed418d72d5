import type { Invalid } from '../errors.ts';
import { isUuid } from '../model/names.ts';
import type { Literal } from './ast.ts';
import { momentText, queryDate } from './moment.ts';
import { QueryFault } from './query-fault.ts';

function typeFault(property: string, expected: string, literal: Literal): Invalid {
  const value = typeof literal === 'object' ? 'a date' : JSON.stringify(literal).slice(0, 60);
  return new QueryFault(`${property} must be compared with ${expected}; got ${value}`);
}

export function toText(property: string, literal: Literal): string {
  if (typeof literal === 'string') return literal;
  if (typeof literal === 'number') return String(literal);
  throw typeFault(property, 'a string', literal);
}

const numberPattern = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function numberOf(property: string, literal: Literal): number {
  const isNumber =
    typeof literal === 'number' || (typeof literal === 'string' && numberPattern.test(literal));
  const number = isNumber ? Number(literal) : Number.NaN;
  if (!Number.isFinite(number)) throw typeFault(property, 'a number', literal);
  return number;
}

const booleans: ReadonlyMap<string, boolean> = new Map([
  ['0', false],
  ['1', true],
  ['false', false],
  ['true', true],
]);

export const parseBoolean = (text: string): boolean | undefined => booleans.get(text.toLowerCase());

function booleanOf(property: string, literal: Literal): boolean {
  const value = typeof literal === 'object' ? undefined : parseBoolean(String(literal));
  if (value === undefined) throw typeFault(property, '0 or 1', literal);
  return value;
}

function dateOf(property: string, literal: Literal, now: string): string {
  if (typeof literal === 'object') return momentText(literal, now);
  if (typeof literal === 'string') return queryDate(literal.trim(), property);
  throw typeFault(property, 'a date', literal);
}

/**
 * Converts a literal to the kind of a property's values. Strings are parsed, because parameters in requests are
 * strings.
 * @throws QueryFault if the literal cannot be converted
 */
export function toSqlValue(
  kind: 'string' | 'number' | 'boolean' | 'date',
  property: string,
  literal: Literal,
  now: string,
): string | number | boolean {
  switch (kind) {
    case 'number':
      return numberOf(property, literal);
    case 'boolean':
      return booleanOf(property, literal);
    case 'date':
      return dateOf(property, literal, now);
    default:
      return toText(property, literal);
  }
}

/**
 * Converts a literal to a list with one id. If the string cannot be an id, the list is empty and no document
 * matches.
 */
export const toUuids = (property: string, literal: Literal): string[] => {
  const text = toText(property, literal);
  return isUuid(text) ? [text] : [];
};
