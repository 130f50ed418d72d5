import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { ReferenceField } from '../form/reference-field.tsx';
import { change } from '../graphql/change.ts';
import { refresh, send } from '../graphql/client.ts';
import { addToCollection, createCollection, removeFromCollection } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import type { PartProps } from './document.ts';

function ChooseCollection({ uid, onClose }: { readonly uid: string; readonly onClose: () => void }) {
  const [chosen, setChosen] = useState('');
  const [name, setName] = useState('');
  const add = async () => {
    const made = chosen === '' ? await send(createCollection, { name }) : undefined;
    const collection = made?.collectionCreate.document?.uid ?? chosen;
    await send(addToCollection, { id: uid, collection });
    await refresh();
  };
  return (
    <FormDialog
      title={text('collections.add')}
      submit={text('add')}
      onSubmit={add}
      onClose={onClose}
      isDisabled={chosen === '' && name.trim() === ''}
    >
      <ReferenceField
        label={text('collections.one')}
        reference={{ to: 'collection' }}
        value={chosen}
        onChange={setChosen}
        placeholder={text('collections.new')}
      />
      {chosen === '' && <TextField label={text('column.title')} value={name} onChange={setName} />}
    </FormDialog>
  );
}

export function Collections({ document: { uid, contextParameters, facets, isVersion } }: PartProps) {
  const [isAdding, setAdding] = useState(false);
  // The star shows whether a document is a favorite.
  const shown = contextParameters.collections.filter(({ type }) => type !== 'Favorites');
  if (facets.includes('NotCollectionMember') || isVersion) return null;
  const remove = (collection: string) => change(() => send(removeFromCollection, { id: uid, collection }));
  return (
    <section className="card">
      <h2>{text('collections')}</h2>
      {shown.length > 0 && (
        <ul className="rows">
          {shown.map(({ uid: id, title }) => (
            <li key={id}>
              <Link href={documentAddress(id)}>{title}</Link>
              <IconButton label={`${text('form.remove')}: ${title}`} icon={X} onPress={() => remove(id)} />
            </li>
          ))}
        </ul>
      )}
      <Button kind="quiet" icon={Plus} onPress={() => setAdding(true)}>
        {text('collections.add')}
      </Button>
      {isAdding && <ChooseCollection uid={uid} onClose={() => setAdding(false)} />}
    </section>
  );
}
