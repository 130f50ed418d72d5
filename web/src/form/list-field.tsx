import { ArrowUp, Plus, X } from 'lucide-react';
import type { ComponentType } from 'react';
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
  const replace = (index: number, ...by: unknown[]) => onChange(items.toSpliced(index, 1, ...by));
  const up = (index: number) => onChange(items.toSpliced(index - 1, 2, items[index], items[index - 1]));
  const error = items.length === 0 ? errorAt(errors, place) : errors[place];
  return (
    <fieldset className="fieldset list">
      <legend>{label}</legend>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values have no other identity than their place
        <div key={index} className="list-item">
          <Item
            field={field}
            place={`${place}/${index}`}
            label={`${label} ${index + 1}`}
            value={item}
            onChange={(changed) => replace(index, changed)}
            errors={errors}
          />
          {index > 0 && <IconButton label={text('form.up')} icon={ArrowUp} onPress={() => up(index)} />}
          <IconButton label={text('form.remove')} icon={X} onPress={() => replace(index)} />
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
