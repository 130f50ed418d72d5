import { useState } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { updateDocument } from '../graphql/operations.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt, notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';

interface RenameProps {
  readonly document: { readonly uid: string; readonly title: string };
  readonly onClose: () => void;
}

/** A dialog that changes the title of a document. The document's path stays the same. */
export function Rename({ document: { uid, title }, onClose }: RenameProps) {
  const [changed, setChanged] = useState(title);
  const retitle = async (to: string) => {
    await send(updateDocument, { id: uid, document: { properties: { 'dc:title': to } } });
    await refresh();
  };
  const save = async () => {
    await retitle(changed);
    notify({
      kind: 'done',
      message: text('done.renamed'),
      undo: () => attempt(() => retitle(title), text('done.undone')),
    });
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
