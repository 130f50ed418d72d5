import { type FormEvent, useState } from 'react';
import { ComboBox, Form, Input, Label, ListBox, ListBoxItem, Popover } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send, useAnswer } from '../graphql/client.ts';
import { suggestTags, tagDocument, untagDocument } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Chips } from '../parts/chips.tsx';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import type { PartProps } from './document.ts';

/** Loads the existing tags that begin with the typed text. */
function useTagSuggestions(uid: string, typed: string): ReadonlyArray<{ readonly id: string }> {
  const searchTerm = typed.trim();
  const { data } = useAnswer(suggestTags, { id: uid, term: searchTerm }, { enabled: searchTerm !== '' });
  const found = (data?.tagSuggestion?.json ?? []) as ReadonlyArray<{ readonly id: string }>;
  return searchTerm === '' ? [] : found.map(({ id }) => ({ id }));
}

/** Normalizes a tag in the same way as the server, which removes blanks and some other characters. */
const normalized = (tag: string): string =>
  tag
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s/\\'%]+/g, '');

/** Shows the tags of a document, with a field for adding an existing or new tag. */
export function Tags({ document: { uid, contextParameters, isVersion, facets } }: PartProps) {
  const [added, setAdded] = useState('');
  const { tags } = contextParameters;
  const suggestions = useTagSuggestions(uid, added);
  if (!facets.includes('NXTag') || isVersion) return null;
  const untag = (names: readonly string[]) => send(untagDocument, { id: uid, tags: [...names] });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = added.trim();
    if (tag === '') return;
    change(async () => {
      await send(tagDocument, { id: uid, tags: [tag] });
      setAdded('');
      if (normalized(tag) !== tag)
        notify({ kind: 'note', message: text('tags.adjusted', { tag: normalized(tag) }) });
    });
  };
  const remove = (names: string[]) =>
    change(
      () => untag(names),
      text('tags.removed'),
      () => send(tagDocument, { id: uid, tags: names }),
    );
  return (
    <section className="card">
      <h2>{text('tags')}</h2>
      <Chips label={text('tags')} names={tags} onRemove={remove} />
      <Form onSubmit={add} className="inline-form">
        <ComboBox
          className="field"
          allowsCustomValue
          items={suggestions}
          inputValue={added}
          onInputChange={setAdded}
        >
          <Label>{text('tags.new')}</Label>
          <Input className="input" />
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
        <Button type="submit">{text('add')}</Button>
      </Form>
    </section>
  );
}
