import { X } from 'lucide-react';
import { Tag, TagGroup, TagList } from 'react-aria-components';
import { text } from '../texts/text.ts';
import { IconButton } from './button.tsx';

interface ChipsProps {
  readonly label: string;
  readonly names: readonly string[];
  /** How a name is shown; as it is by default. */
  readonly nameOf?: (name: string) => string;
  readonly onRemove: (removed: string[]) => void;
}

/** A list of short names, each with a button that removes it. Renders nothing if the list is empty. */
export const Chips = ({ label, names, nameOf = (name) => name, onRemove }: ChipsProps) =>
  names.length > 0 && (
    <TagGroup aria-label={label} onRemove={(keys) => onRemove([...keys].map(String))}>
      <TagList className="chips" items={names.map((id) => ({ id }))}>
        {({ id }) => (
          <Tag id={id} textValue={nameOf(id)} className="chip">
            {nameOf(id)}
            <IconButton slot="remove" label={text('form.remove')} icon={X} />
          </Tag>
        )}
      </TagList>
    </TagGroup>
  );
