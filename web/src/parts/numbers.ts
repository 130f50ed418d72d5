import { language } from '../texts/language.ts';

/** The decimal separator in the language of the page. */
const decimalSign = (): string =>
  new Intl.NumberFormat(language()).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/**
 * Parses a number that the user has typed. Returns null for empty text, and undefined for text that is not a
 * number.
 */
export function readNumber(typed: string): number | null | undefined {
  if (typed.trim() === '') return null;
  const plain = typed.trim().replace(decimalSign(), '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/**
 * Formats a number with all of its digits and the decimal separator of the page's language, but without grouping
 * separators.
 */
export const numberText = (value: unknown): string => String(value).replace('.', decimalSign());
