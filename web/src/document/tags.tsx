import { X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Form, Tag, TagGroup, TagList } from 'react-aria-components';
import { refresh, send } from '../graphql/client.ts';
import { tagDocument, untagDocument } from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import type { PartProps } from './document.ts';

export function Tags({ document: { uid, contextParameters, isVersion, facets } }: PartProps) {
  const [added, setAdded] = useState('');
  const { tags } = contextParameters;
  if (!facets.includes('NXTag') || isVersion) return null;
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (added.trim() === '') return;
    void attempt(async () => {
      await send(tagDocument, { id: uid, tags: [added.trim()] });
      await refresh();
      setAdded('');
    });
  };
  const remove = (names: Iterable<unknown>) =>
    void attempt(async () => {
      await send(untagDocument, { id: uid, tags: [...names].map(String) });
      await refresh();
    });
  return (
    <section className="card">
      <h2>{text('tags')}</h2>
      {tags.length > 0 && (
        <TagGroup aria-label={text('tags')} onRemove={remove}>
          <TagList className="chips" items={tags.map((id) => ({ id }))}>
            {({ id }) => (
              <Tag id={id} textValue={id} className="chip">
                {id}
                <IconButton slot="remove" label={text('form.remove')} icon={X} />
              </Tag>
            )}
          </TagList>
        </TagGroup>
      )}
      <Form onSubmit={add} className="inline-form">
        <TextField label={text('tags.new')} value={added} onChange={setAdded} />
        <Button type="submit">{text('add')}</Button>
      </Form>
    </section>
  );
}
