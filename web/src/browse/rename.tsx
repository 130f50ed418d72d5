import { useState } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { updateDocument } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';

interface RenameProps {
  readonly document: { readonly uid: string; readonly title: string };
  readonly onClose: () => void;
}

/** A dialog that changes the title of a document; its path stays the same. */
export function Rename({ document: { uid, title }, onClose }: RenameProps) {
  const [changed, setChanged] = useState(title);
  const save = async () => {
    await send(updateDocument, { id: uid, document: { properties: { 'dc:title': changed } } });
    await refresh();
  };
  return (
    <FormDialog
      title={text('rename')}
      submit={text('save')}
      onSubmit={save}
      onClose={onClose}
      isDisabled={changed.trim() === ''}
    >
      <TextField label={text('column.title')} value={changed} onChange={setChanged} autoFocus isRequired />
    </FormDialog>
  );
}
