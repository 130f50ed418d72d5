import { ChevronDown } from 'lucide-react';
import { useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { FieldNotes, type FieldProps } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import type { Suggestion } from '../values/suggestions.ts';
import { type Reference, useSuggestions, useValueLabel } from '../values/suggestions.ts';

interface ReferenceFieldProps extends FieldProps {
  readonly reference: Reference;
  /** The id; empty for none. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly placeholder?: string;
}

/** Chooses an entry of a directory, a user, a group or a document by the beginning of its name. */
export function ReferenceField({
  reference,
  label,
  error,
  hint,
  value,
  onChange,
  placeholder,
  isRequired,
}: ReferenceFieldProps) {
  const known = useValueLabel(reference, value);
  const [typed, setTyped] = useState<string>();
  const found = useSuggestions(reference, typed ?? '', typed !== undefined);
  const items: readonly Suggestion[] =
    value && !found.some(({ id }) => id === value) && !typed
      ? [{ id: value, label: known }, ...found]
      : found;
  return (
    <ComboBox
      className="field"
      isRequired={isRequired ?? false}
      isInvalid={error !== undefined}
      allowsEmptyCollection
      menuTrigger="focus"
      items={items}
      inputValue={typed ?? known}
      onInputChange={setTyped}
      onOpenChange={(isOpen) => isOpen && setTyped((before) => before ?? '')}
      selectedKey={value || null}
      onSelectionChange={(key) => {
        setTyped(undefined);
        onChange(key === null ? '' : String(key));
      }}
      onBlur={() => {
        if (typed === '' && value !== '') onChange('');
        setTyped(undefined);
      }}
    >
      <Label>{label}</Label>
      <div className="combo">
        <Input className="input" placeholder={placeholder} />
        <Button className="combo-button">
          <ChevronDown size={16} aria-hidden />
        </Button>
      </div>
      <FieldNotes hint={hint} error={error} />
      <Popover className="popover">
        <ListBox
          className="list-box"
          renderEmptyState={() => <p className="hint none-found">{text('form.noneFound')}</p>}
        >
          {({ id, label: shown, detail }: Suggestion) => (
            <ListBoxItem id={id} textValue={shown} className="option">
              <Text slot="label">{shown}</Text>
              {detail && (
                <Text slot="description" className="hint">
                  {detail}
                </Text>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
