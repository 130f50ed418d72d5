import { Invalid } from '../errors.ts';
import { readDate } from '../model/read-value.ts';
import type { Literal } from './ast.ts';
import type { Kind } from './operand.ts';

const truths: Readonly<Record<string, boolean>> = { true: true, '1': true, false: false, '0': false };

const asText = (text: string): Literal => text;

const readers: Readonly<Record<Kind, (text: string, name: string) => Literal | undefined>> = {
  ...{ string: asText, id: asText, object: asText },
  number: (text) => (text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : undefined),
  boolean: (text) => (Object.hasOwn(truths, text.toLowerCase()) ? truths[text.toLowerCase()] : undefined),
  date: (text, name) => ({ kind: 'moment', iso: readDate(text, name) }),
};

const words: Partial<Record<Kind, string>> = { number: 'a number', boolean: 'true or false' };

/** A value of a parameter as what a property of some kind is compared with. @throws Invalid naming the parameter. */
export function literalOf(kind: Kind, name: string, text: string): Literal {
  const literal = readers[kind](text, name);
  if (literal === undefined) throw new Invalid(`${name}: "${text.slice(0, 80)}" is not ${words[kind]}`);
  return literal;
}

/** A day, whose first moment is meant unless it ends something. */
const isDay = (text: string): boolean => /^\d{4}-\d\d-\d\d$/.test(text);

/** The same for the end of a range, which a day is in as a whole. */
export const endOf = (kind: Kind, name: string, text: string): Literal =>
  literalOf(kind, name, kind === 'date' && isDay(text) ? `${text}T23:59:59.999Z` : text);
