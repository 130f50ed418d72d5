import { useEffect, useState } from 'react';
import { ReferenceField } from '../form/reference-field.tsx';
import { Chips } from '../parts/chips.tsx';
import { useNames } from '../values/names.ts';
import type { Reference } from '../values/suggestions.ts';

interface IdListProps {
  readonly label: string;
  readonly reference: Reference;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** The maximum number of ids that are shown as names. The names of more members would need many requests. */
const maxNames = 200;

/** An editable list of users or groups, with a combo box for adding others. */
export function IdList({ label, reference, ids, onChange }: IdListProps) {
  // The chosen suggestion is stored for only one render, which closes the list of suggestions. If the list stayed open,
  // pressing Tab would add the suggestion under the pointer.
  const [chosen, setChosen] = useState('');
  const nameOf = useNames(ids.length > maxNames ? [] : ids);
  useEffect(() => {
    if (chosen !== '') setChosen('');
  }, [chosen]);
  return (
    <div className="id-list">
      <ReferenceField
        label={label}
        reference={reference}
        value={chosen}
        onChange={(id) => {
          setChosen(id);
          if (id !== '' && !ids.includes(id)) onChange([...ids, id]);
        }}
      />
      <Chips
        label={label}
        names={ids}
        nameOf={nameOf}
        onRemove={(removed) => onChange(ids.filter((id) => !removed.includes(id)))}
      />
    </div>
  );
}
