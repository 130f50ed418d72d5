import { ChevronDown } from 'lucide-react';
import { useContext, useRef, useState } from 'react';
import {
  Button,
  ComboBox,
  ComboBoxStateContext,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Text,
} from 'react-aria-components';
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
 * The input of a combo box, which opens the list when it is clicked. The focus alone does not open it, because the list
 * would hide all other fields of a dialog whose first field it is.
 */
function ComboInput({ placeholder }: Pick<ReferenceFieldProps, 'placeholder'>) {
  const state = useContext(ComboBoxStateContext);
  return <Input className="input" placeholder={placeholder} onClick={() => state?.open(null, 'manual')} />;
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
      // With the trigger `input`, every change of the text would open the list, even the change that follows when the
      // user chooses an item.
      menuTrigger={typed === undefined ? 'manual' : 'input'}
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
      }}
      onBlur={() => {
        isFocused.current = false;
        setTyped(undefined);
        setChosen(undefined);
      }}
    >
      <Label>{label}</Label>
      <div className="combo">
        <ComboInput placeholder={placeholder} />
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
