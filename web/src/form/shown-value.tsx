import { Check, Download, Minus } from 'lucide-react';
import { Link } from 'react-aria-components';
import { documentAddress } from '../listing/address.ts';
import { numberText } from '../parts/numbers.ts';
import { sizeText, Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { useValueLabel } from '../values/suggestions.ts';
import type { FieldModel } from './field-model.ts';
import { fieldLabel } from './labels.ts';

interface ShownValueProps {
  readonly field: FieldModel;
  readonly value: unknown;
}

function Referred({ field, value }: ShownValueProps) {
  const label = useValueLabel(field.reference ?? { to: '' }, String(value));
  if (field.reference?.to !== 'document') return label;
  return <Link href={documentAddress(String(value))}>{label}</Link>;
}

/**
 * Removes the scheme and host from a URL that the server returned, because they can differ from those of the page.
 */
export function ownAddress(url: string): string {
  const { pathname, search } = new URL(url, document.baseURI);
  return `${pathname}${search}`;
}

export function FileLink({ value }: { readonly value: unknown }) {
  const { name, length, data } = value as { name?: string; length?: string; data?: string };
  const label = `${name ?? text('form.unnamed')} (${sizeText(Number(length ?? 0))})`;
  if (!data) return label;
  return (
    <a href={ownAddress(data)} download={name} className="file-link">
      <Download size={14} aria-hidden /> {label}
    </a>
  );
}

const Parts = ({ field, value }: ShownValueProps) => (
  <dl className="parts">
    {field.parts.map((part) => (
      <div key={part.name}>
        <dt>{fieldLabel(part.name)}</dt>
        <dd>
          <ShownValue field={part} value={(value as Record<string, unknown>)[part.name]} />
        </dd>
      </div>
    ))}
  </dl>
);

/** A read-only view of a value of any type. */
export function ShownValue({ field, value }: ShownValueProps) {
  if (value === null || value === undefined || value === '') return <span className="hint">–</span>;
  if (field.isList) {
    const items = value as readonly unknown[];
    if (items.length === 0) return <span className="hint">–</span>;
    return (
      <ul className="values">
        {items.map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no identity other than their position
          <li key={index}>
            <ShownValue field={{ ...field, isList: false }} value={item} />
          </li>
        ))}
      </ul>
    );
  }
  if (field.kind === 'complex') return <Parts field={field} value={value} />;
  if (field.kind === 'blob') return <FileLink value={value} />;
  if (field.kind === 'date') return <Time at={String(value)} />;
  if (field.kind === 'boolean')
    return value === true ? (
      <Check size={16} aria-label={text('yes')} />
    ) : (
      <Minus size={16} aria-label={text('no')} />
    );
  if (field.kind === 'long' || field.kind === 'double') return numberText(value);
  if (field.reference) return <Referred field={field} value={value} />;
  const shown = String(value);
  return <span className="long-text">{field.choices ? textOr(`choice.${shown}`, shown) : shown}</span>;
}
