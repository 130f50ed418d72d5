import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { tagDocument, untagDocument } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Chips } from '../parts/chips.tsx';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { normalizedTag, TagField } from '../values/tag-field.tsx';
import type { PartProps } from './document.ts';

/** Shows the tags of a document, with a field for adding an existing or new tag. */
export function Tags({ document: { uid, contextParameters, isVersion, facets } }: PartProps) {
  const [added, setAdded] = useState('');
  const { tags } = contextParameters;
  if (!facets.includes('NXTag') || isVersion) return null;
  const untag = (names: readonly string[]) => send(untagDocument, { id: uid, tags: [...names] });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = added.trim();
    if (tag === '') return;
    change(async () => {
      await send(tagDocument, { id: uid, tags: [tag] });
      setAdded('');
      if (normalizedTag(tag) !== tag)
        notify({ kind: 'note', message: text('tags.adjusted', { tag: normalizedTag(tag) }) });
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
        <TagField label={text('tags.new')} value={added} onChange={setAdded} uid={uid} />
        <Button type="submit">{text('add')}</Button>
      </Form>
    </section>
  );
}
