import { Invalid } from '../errors.ts';
import { isUuid } from '../model/names.ts';
import { readDate } from '../model/read-value.ts';
import type { Literal } from './ast.ts';
import { momentText } from './moment.ts';

const shown = (literal: Literal): string =>
  typeof literal === 'object' ? 'a moment' : JSON.stringify(literal).slice(0, 60);

const wrong = (property: string, expected: string, literal: Literal): Invalid =>
  new Invalid(`query: ${property} is compared with ${shown(literal)}, expected ${expected}`);

/** A value as text. @throws Invalid on a moment or a boolean. */
export function textOf(property: string, literal: Literal): string {
  if (typeof literal === 'string') return literal;
  if (typeof literal === 'number') return String(literal);
  throw wrong(property, 'a text', literal);
}

const numberPattern = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d{1,3})?$/;

function numberOf(property: string, literal: Literal): number {
  const isNumber =
    typeof literal === 'number' || (typeof literal === 'string' && numberPattern.test(literal));
  const number = isNumber ? Number(literal) : Number.NaN;
  if (!Number.isFinite(number)) throw wrong(property, 'a number', literal);
  return number;
}

const booleans: Readonly<Record<string, boolean>> = { 0: false, 1: true, false: false, true: true };

function booleanOf(property: string, literal: Literal): boolean {
  const text = typeof literal === 'object' ? '' : String(literal).toLowerCase();
  const found = Object.hasOwn(booleans, text) ? booleans[text] : undefined;
  if (found === undefined) throw wrong(property, '0 or 1', literal);
  return found;
}

function dateOf(property: string, literal: Literal, now: string): string {
  if (typeof literal === 'object') return momentText(literal, now);
  if (typeof literal === 'string') return readDate(literal.trim().replace(' ', 'T'), `query: ${property}`);
  throw wrong(property, 'a date', literal);
}

/**
 * A value as a property of a kind has it. Parameters of a request are texts, whatever they are compared with.
 * @throws Invalid when it is none.
 */
export function readAs(
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
      return textOf(property, literal);
  }
}

/** The id that a value is; what cannot be one is that of no document. */
export const idOf = (property: string, literal: Literal): string[] => {
  const text = textOf(property, literal);
  return isUuid(text) ? [text] : [];
};
