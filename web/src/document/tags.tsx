import { type FormEvent, useState } from 'react';
import { Form } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { tagDocument, untagDocument } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Chips } from '../parts/chips.tsx';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import type { PartProps } from './document.ts';

export function Tags({ document: { uid, contextParameters, isVersion, facets } }: PartProps) {
  const [added, setAdded] = useState('');
  const { tags } = contextParameters;
  if (!facets.includes('NXTag') || isVersion) return null;
  const add = (event: FormEvent) => {
    event.preventDefault();
    if (added.trim() === '') return;
    change(async () => {
      await send(tagDocument, { id: uid, tags: [added.trim()] });
      setAdded('');
    });
  };
  const remove = (names: string[]) => change(() => send(untagDocument, { id: uid, tags: names }));
  return (
    <section className="card">
      <h2>{text('tags')}</h2>
      <Chips label={text('tags')} names={tags} onRemove={remove} />
      <Form onSubmit={add} className="inline-form">
        <TextField label={text('tags.new')} value={added} onChange={setAdded} />
        <Button type="submit">{text('add')}</Button>
      </Form>
    </section>
  );
}
