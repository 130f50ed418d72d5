import { X } from 'lucide-react';
import { Tag, TagGroup, TagList } from 'react-aria-components';
import { ReferenceField } from '../form/reference-field.tsx';
import { IconButton } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
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
    {ids.length > 0 && (
      <TagGroup aria-label={label} onRemove={(keys) => onChange(ids.filter((id) => !keys.has(id)))}>
        <TagList className="chips" items={ids.map((id) => ({ id }))}>
          {({ id }) => (
            <Tag id={id} textValue={id} className="chip">
              {id}
              <IconButton slot="remove" label={text('form.remove')} icon={X} />
            </Tag>
          )}
        </TagList>
      </TagGroup>
    )}
    <ReferenceField
      key={ids.length}
      label={label}
      reference={reference}
      value=""
      onChange={(id) => id !== '' && !ids.includes(id) && onChange([...ids, id])}
    />
  </div>
);
