import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-router';
import { choosePreference, usePreference } from '../app/preferences.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';

interface SavedFiltersProps {
  /** The filters that are set, as the query of an address; empty if none is set. */
  readonly query: string;
}

/** The combinations of filters that the administrator has saved, as links, and a button that saves the current ones. */
export function SavedFilters({ query }: SavedFiltersProps) {
  const saved = usePreference('auditFilters') ?? [];
  const [isNaming, setNaming] = useState(false);
  const [name, setName] = useState('');
  const save = async () => {
    const others = saved.filter((each) => each.name !== name.trim());
    choosePreference('auditFilters', [...others, { name: name.trim(), query }]);
    setName('');
  };
  const isKnown = saved.some((each) => each.query === query);
  return (
    <>
      <ul className="chips saved-filters" aria-label={text('audit.saved')}>
        {saved.map((each) => (
          <li key={each.name} className="chip">
            <Link to={`?${each.query}`} aria-current={each.query === query ? 'true' : undefined}>
              {each.name}
            </Link>
            <IconButton
              label={`${text('form.remove')}: ${each.name}`}
              icon={X}
              onPress={() =>
                choosePreference(
                  'auditFilters',
                  saved.filter((other) => other !== each),
                )
              }
            />
          </li>
        ))}
        {query !== '' && !isKnown && (
          <li>
            <Button kind="quiet" icon={Bookmark} onPress={() => setNaming(true)}>
              {text('audit.save')}
            </Button>
          </li>
        )}
      </ul>
      {isNaming && (
        <FormDialog
          title={text('audit.save')}
          submit={text('save')}
          onSubmit={save}
          onClose={() => setNaming(false)}
          isDisabled={name.trim() === ''}
        >
          <TextField label={text('audit.filterName')} value={name} onChange={setName} isRequired />
        </FormDialog>
      )}
    </>
  );
}
