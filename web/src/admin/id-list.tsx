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
export const IdList = ({ label, reference, ids, onChange }: IdListProps) => (
  <div className="id-list">
    <ReferenceField
      label={label}
      reference={reference}
      value=""
      onChange={(id) => id !== '' && !ids.includes(id) && onChange([...ids, id])}
    />
    <Chips
      label={label}
      names={ids}
      onRemove={(removed) => onChange(ids.filter((id) => !removed.includes(id)))}
    />
  </div>
);
