import { ArrowUp, Plus, X } from 'lucide-react';
import { type ComponentType, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
import { errorAt, type FieldErrors } from './errors.ts';
import type { FieldModel } from './field-model.ts';

export interface FieldEditorProps {
  readonly field: FieldModel;
  /**
   * The path of the value, such as `x:list/0/part`. Error messages for the value have this path as their key.
   */
  readonly place: string;
  readonly label: string;
  readonly value: unknown;
  readonly onChange: (value: unknown) => void;
  readonly errors: FieldErrors;
}

interface ListFieldProps extends FieldEditorProps {
  /** The component that edits one item. */
  readonly Item: ComponentType<FieldEditorProps>;
}

const empty: Readonly<Record<string, unknown>> = { complex: {}, boolean: false };

/** An editor for a list of values, with buttons that add, remove and move items. */
export function ListField({ field, place, label, value, onChange, errors, Item }: ListFieldProps) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  // A key for each item. When an item is moved, its key makes its editor's state, such as a running upload, move with
  // it.
  const [storedKeys, setKeys] = useState<readonly number[]>([]);
  const next = Math.max(-1, ...storedKeys) + 1;
  const keys = items.map((_, index) => storedKeys[index] ?? next + index);
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
  const list = useRef<HTMLFieldSetElement>(null);
  const isAdded = useRef(false);
  // The focus goes to the field of an added item, so that the user can type its value.
  useEffect(() => {
    if (!isAdded.current) return;
    isAdded.current = false;
    const added = list.current?.querySelectorAll(':scope > .list-item')[items.length - 1];
    added?.querySelector<HTMLElement>('input, textarea, button')?.focus();
  }, [items.length]);
  const add = () => {
    isAdded.current = true;
    onChange([...items, empty[field.kind] ?? null]);
  };
  const error = items.length === 0 ? errorAt(errors, place) : errors[place];
  return (
    <fieldset ref={list} className="fieldset list">
      <legend>
        {label}
        {field.isRequired && <span className="required"> *</span>}
      </legend>
      {items.map((item, index) => (
        <div key={keys[index]} className={field.kind === 'complex' ? 'list-item' : 'list-item plain'}>
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
      <Button kind="quiet" icon={Plus} onPress={add} aria-label={`${text('form.add')}: ${label}`}>
        {text('form.add')}
      </Button>
    </fieldset>
  );
}
