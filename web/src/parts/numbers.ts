import { language } from '../texts/language.ts';

/** Between a number and its decimals, in the language of the page. */
const decimalSign = (): string =>
  new Intl.NumberFormat(language()).formatToParts(0.5).find(({ type }) => type === 'decimal')?.value ?? '.';

/** What was typed as a number; null of nothing, undefined of what is none. */
export function readNumber(typed: string): number | null | undefined {
  if (typed.trim() === '') return null;
  const plain = typed.trim().replace(decimalSign(), '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : undefined;
}

/** All of its digits, and none that a group of them would be read as. */
export const numberText = (value: unknown): string => String(value).replace('.', decimalSign());
