import { useEffect, useState } from 'react';
import { ReferenceField } from '../form/reference-field.tsx';
import { Chips } from '../parts/chips.tsx';
import type { Reference } from '../values/suggestions.ts';

interface IdListProps {
  readonly label: string;
  readonly reference: Reference;
  readonly ids: readonly string[];
  readonly onChange: (ids: readonly string[]) => void;
}

/** Ids of users, groups or entries: what is chosen is added to them. */
export function IdList({ label, reference, ids, onChange }: IdListProps) {
  // A moment: a list of suggestions that stayed open would add the one below the pointer with the next Tab.
  const [chosen, setChosen] = useState('');
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
        onRemove={(removed) => onChange(ids.filter((id) => !removed.includes(id)))}
      />
    </div>
  );
}
