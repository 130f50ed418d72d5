import { useState } from 'react';
import { type FieldProps, TextField } from '../parts/fields.tsx';
import { numberText, readNumber } from '../parts/numbers.ts';

interface TypedFieldProps extends FieldProps {
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
}

/** Shows what was typed as long as it stands for the value: `1.0` and `1e2` are on their way to other numbers. */
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
      // An input of numbers goes by the language of the browser, and would make 125 of 12,5 in another one.
      inputMode={isWhole ? 'numeric' : 'decimal'}
      value={isShown ? typed : numberText(value ?? '')}
      onChange={(given) => {
        setTyped(given);
        onChange(readNumber(given) ?? null);
      }}
    />
  );
}

const digits = (value: number, count = 2): string => String(value).padStart(count, '0');

/** In the time of the reader, as inputs of dates want it; seconds where there are any, since they would be lost. */
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

/** As the server wants it; what is no time is left for the server to refuse. */
export function timeOf(given: string): string | null {
  if (given === '') return null;
  const at = new Date(given);
  return Number.isNaN(at.getTime()) ? given : at.toISOString();
}

export const DateField = ({ value, onChange, ...props }: TypedFieldProps) => (
  <TextField
    {...props}
    type="datetime-local"
    max="9999-12-31T23:59"
    value={localTime(value)}
    onChange={(given) => onChange(timeOf(given))}
  />
);

/** A text, with several lines where the stored one has them: an input of one line would drop their ends. */
export function PlainField({ value, onChange, rows, ...props }: TypedFieldProps & { readonly rows: number }) {
  const shown = String(value ?? '');
  const [least] = useState(() => (shown.includes('\n') ? 3 : 1));
  return (
    <TextField
      {...props}
      rows={Math.max(rows, least)}
      value={shown}
      onChange={(given) => onChange(given === '' ? null : given)}
    />
  );
}
