import { useState } from 'react';
import { FormDialog } from '../parts/dialog.tsx';
import { text } from '../texts/text.ts';
import { normalizedTag, TagField } from '../values/tag-field.tsx';

interface AddTagsProps {
  readonly onAdd: (tags: readonly string[]) => Promise<unknown>;
  readonly onClose: () => void;
}

/** A dialog that adds tags to several documents. */
export function AddTags({ onAdd, onClose }: AddTagsProps) {
  const [typed, setTyped] = useState('');
  const tags = [...new Set(typed.split(',').map(normalizedTag).filter(Boolean))];
  return (
    <FormDialog
      title={text('bulk.tag')}
      submit={text('add')}
      isDisabled={tags.length === 0}
      onSubmit={() => onAdd(tags)}
      onClose={onClose}
    >
      <TagField label={text('tags')} value={typed} onChange={setTyped} hint={text('bulk.tagHint')} />
    </FormDialog>
  );
}
