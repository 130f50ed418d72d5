import { language } from '../texts/language.ts';

/** Formats a time in the language of the page; of today, only the hour. */
export function shortTime(at: string): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  const options = isToday
    ? ({ timeStyle: 'short' } as const)
    : ({ dateStyle: 'medium', timeStyle: 'short' } as const);
  return new Intl.DateTimeFormat(language(), options).format(date);
}

/** Shows a time in the format of the page's language. The tooltip shows the full ISO time. */
export function Time({ at }: { readonly at: string | null | undefined }) {
  if (!at) return null;
  const date = new Date(at);
  const short = new Intl.DateTimeFormat(language(), { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <time dateTime={at} title={date.toISOString()}>
      {short.format(date)}
    </time>
  );
}

const units = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const;

export function sizeText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = new Intl.NumberFormat(language(), {
    style: 'unit',
    unit: units[power] ?? 'byte',
    unitDisplay: power === 0 ? 'long' : 'short',
    maximumFractionDigits: power === 0 ? 0 : 1,
  });
  return format.format(bytes / 1000 ** power);
}

export const countText = (count: number): string => new Intl.NumberFormat(language()).format(count);

/** Formats the number of entries in a list, or an estimate (`≈ 12,000`) if there were too many to count. */
export const totalText = ({
  total,
  estimate,
}: {
  readonly total: number;
  readonly estimate?: number | undefined;
}) => (total >= 0 ? countText(total) : `≈ ${countText(estimate ?? 0)}`);

/**
 * Formats the exact number of entries. Returns undefined if there were too many to count, because an estimate can
 * be far off.
 */
export const exactTotal = ({ total }: { readonly total: number }): string | undefined =>
  total >= 0 ? countText(total) : undefined;
