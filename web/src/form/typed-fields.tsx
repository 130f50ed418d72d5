import { useState } from 'react';
import { type FieldProps, TextField } from '../parts/fields.tsx';
import { numberText, readNumber } from '../parts/numbers.ts';

interface TypedFieldProps extends FieldProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/**
 * A field for numbers. As long as the typed text represents the current value, it is shown as typed, so that users can
 * type `1.05` or `1e20`. Otherwise, the incomplete inputs `1.0` and `1e2` would be reformatted while typing.
 */
export function NumberField({
  value,
  onChange,
  isWhole,
  ...props
}: TypedFieldProps & { readonly isWhole: boolean }) {
  const [typed, setTyped] = useState('');
  const isShown = (readNumber(typed) ?? null) === (value ?? null);
  return (
    <TextField
      {...props}
      // `type="number"` is not used, because it follows the language of the browser instead of the page, and could
      // parse `12,5` as 125.
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={isShown ? typed : numberText(value ?? '')}
      onChange={(input) => {
        setTyped(input);
        onChange(readNumber(input) ?? null);
      }}
    />
  );
}

const digits = (value: number, count = 2): string => String(value).padStart(count, '0');

/**
 * Converts an ISO time to the value of a `datetime-local` input in the local time zone. Seconds are omitted if they are
 * 0.
 */
function localTime(value: unknown): string {
  if (typeof value !== 'string' || value === '') return '';
  const at = new Date(value);
  if (Number.isNaN(at.getTime())) return value;
  const day = [digits(at.getFullYear(), 4), digits(at.getMonth() + 1), digits(at.getDate())].join('-');
  const minute = `${day}T${digits(at.getHours())}:${digits(at.getMinutes())}`;
  const [seconds, fraction] = [at.getSeconds(), at.getMilliseconds()];
  if (fraction > 0) return `${minute}:${digits(seconds)}.${digits(fraction, 3)}`;
  return seconds > 0 ? `${minute}:${digits(seconds)}` : minute;
}

/**
 * Converts the value of a `datetime-local` input to an ISO time. Invalid values are returned unchanged, so that the
 * server rejects them.
 */
export function timeOf(input: string): string | null {
  if (input === '') return null;
  const at = new Date(input);
  return Number.isNaN(at.getTime()) ? input : at.toISOString();
}

/** Converts the value of a `date` input to the ISO time at which the day ends in the local time zone. */
export const endOfDay = (day: string): string | null => timeOf(day && `${day}T23:59:59`);

export const DateField = ({ value, onChange, ...props }: TypedFieldProps) => (
  <TextField
    {...props}
    type="datetime-local"
    max="9999-12-31T23:59"
    value={localTime(value)}
    onChange={(input) => onChange(timeOf(input))}
  />
);

/**
 * A field for text. If the stored text has several lines, it is a text area, because a single-line input would remove
 * the line breaks.
 */
export function PlainField({ value, onChange, rows, ...props }: TypedFieldProps & { readonly rows: number }) {
  const shown = String(value ?? '');
  const [minRows] = useState(() => (shown.includes('\n') ? 3 : 1));
  return (
    <TextField
      {...props}
      rows={Math.max(rows, minRows)}
      value={shown}
      onChange={(input) => onChange(input === '' ? null : input)}
    />
  );
}
