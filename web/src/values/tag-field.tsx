import { ComboBox, Input, Label, ListBox, ListBoxItem, Popover, Text } from 'react-aria-components';
import { useAnswer } from '../graphql/client.ts';
import { suggestTags } from '../graphql/operations.ts';

/** Loads the existing tags that begin with the typed text, except those of the document. */
function useTagSuggestions(typed: string, uid: string | undefined): ReadonlyArray<{ readonly id: string }> {
  const searchTerm = typed.trim();
  const variables = { id: uid ?? null, term: searchTerm };
  const { data } = useAnswer(suggestTags, variables, { enabled: searchTerm !== '' });
  const found = (data?.tagSuggestion?.json ?? []) as ReadonlyArray<{ readonly id: string }>;
  return searchTerm === '' ? [] : found.map(({ id }) => ({ id }));
}

/** Normalizes a tag in the same way as the server, which removes blanks and some other characters. */
export const normalizedTag = (tag: string): string =>
  tag
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/\\'%]+/g, '');

interface TagFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A document whose tags are not suggested. */
  readonly uid?: string;
  readonly hint?: string;
}

/** A field for a tag. It suggests existing tags, and accepts new ones. */
export function TagField({ label, value, onChange, uid, hint }: TagFieldProps) {
  const suggestions = useTagSuggestions(value, uid);
  return (
    <ComboBox
      className="field"
      allowsCustomValue
      items={suggestions}
      inputValue={value}
      onInputChange={onChange}
    >
      <Label>{label}</Label>
      <Input className="input" />
      {hint && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="list-box">
          {({ id }: { readonly id: string }) => (
            <ListBoxItem id={id} textValue={id} className="option">
              {id}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </ComboBox>
  );
}
