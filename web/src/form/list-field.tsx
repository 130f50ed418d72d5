import { ArrowUp, Plus, X } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
import { errorAt, type FieldErrors } from './errors.ts';
import type { FieldModel } from './field-model.ts';

export interface FieldEditorProps {
  readonly field: FieldModel;
  /** The place of the value, by which errors name it. */
  readonly place: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors: FieldErrors;
}

interface ListFieldProps extends FieldEditorProps {
  /** The editor of one value. */
  readonly Item: ComponentType<FieldEditorProps>;
}

const empty: Readonly<Record<string, unknown>> = { complex: {}, boolean: false };

/** A list of values of one type, in an order that can be changed. */
export function ListField({ field, place, label, value, onChange, errors, Item }: ListFieldProps) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  // Of each item, for what its editor keeps, such as a file on its way, to move with it.
  const [kept, setKeys] = useState<readonly number[]>([]);
  const next = Math.max(-1, ...kept) + 1;
  const keys = items.map((_, index) => kept[index] ?? next + index);
  const replace = (index: number, changed: unknown) => onChange(items.toSpliced(index, 1, changed));
  const remove = (index: number) => {
    setKeys(keys.toSpliced(index, 1));
    onChange(items.toSpliced(index, 1));
  };
  const swapped = <T,>(all: readonly T[], index: number): T[] =>
    all.toSpliced(index - 1, 2, ...all.slice(index - 1, index + 1).reverse());
  const up = (index: number) => {
    setKeys(swapped(keys, index));
    onChange(swapped(items, index));
  };
  const error = items.length === 0 ? errorAt(errors, place) : errors[place];
  return (
    <fieldset className="fieldset list">
      <legend>{label}</legend>
      {items.map((item, index) => (
        <div key={keys[index]} className="list-item">
          <Item
            field={field}
            place={`${place}/${index}`}
            label={`${label} ${index + 1}`}
            value={item}
            onChange={(changed) => replace(index, changed)}
            errors={errors}
          />
          {index > 0 && <IconButton label={text('form.up')} icon={ArrowUp} onPress={() => up(index)} />}
          <IconButton label={text('form.remove')} icon={X} onPress={() => remove(index)} />
        </div>
      ))}
      {error && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <Button
        kind="quiet"
        icon={Plus}
        onPress={() => onChange([...items, empty[field.kind] ?? null])}
        aria-label={`${text('form.add')}: ${label}`}
      >
        {text('form.add')}
      </Button>
    </fieldset>
  );
}
