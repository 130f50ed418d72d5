import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { Button, ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { FieldNotes, type FieldProps } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import type { Suggestion } from '../values/suggestions.ts';
import { type Reference, useSuggestions, useValueLabel } from '../values/suggestions.ts';

interface ReferenceFieldProps extends FieldProps {
  readonly reference: Reference;
  /** The chosen id; empty if nothing is chosen. */
  readonly value: string;
  readonly onChange: (id: string) => void;
  readonly placeholder?: string;
}

/**
 * A combo box for choosing a directory entry by any part of its label, or a user, group or document by the beginning of
 * its name.
 */
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
  const labelled = useValueLabel(reference, value);
  const [chosen, setChosen] = useState<Suggestion>();
  // The label of a chosen suggestion is shown immediately, because the label for the stored id may still be loading.
  const shownLabel = chosen && chosen.id === value ? chosen.label : labelled;
  // The search term; undefined until the user has typed something.
  const [typed, setTyped] = useState<string>();
  const [isOpen, setOpen] = useState(false);
  const isFocused = useRef(false);
  const [hasFocus, setFocus] = useState(false);
  const found = useSuggestions(reference, typed ?? '', isOpen);
  const items: readonly Suggestion[] =
    value && !found.some(({ id }) => id === value) && !typed
      ? [{ id: value, label: shownLabel }, ...found]
      : found;
  return (
    <ComboBox
      className="field"
      isRequired={isRequired ?? false}
      isInvalid={error !== undefined}
      allowsEmptyCollection
      // With the trigger `focus`, every change of the text would open the list, even the change that follows when the
      // user chooses an item.
      menuTrigger={hasFocus && typed === undefined ? 'manual' : 'focus'}
      items={items}
      inputValue={typed ?? shownLabel}
      onInputChange={(now) => {
        if (!isFocused.current) return; // The combo box resets its own text after it has lost the focus.
        setTyped(now);
        if (now.trim() === '') onChange('');
      }}
      onOpenChange={setOpen}
      selectedKey={value || null}
      onSelectionChange={(key) => {
        if (key === null) return; // The user is typing. The previous choice remains until another one is made.
        setTyped(undefined);
        if (key === value) return;
        setChosen(items.find(({ id }) => id === key));
        onChange(String(key));
      }}
      onFocus={() => {
        isFocused.current = true;
        setFocus(true);
      }}
      onBlur={() => {
        isFocused.current = false;
        setFocus(false);
        setTyped(undefined);
        setChosen(undefined);
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
