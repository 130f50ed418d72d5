import { Bookmark, X } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { change } from '../graphql/change.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { deleteSavedSearch, savedSearches, saveSearch } from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { parametersOf, type SearchCriteria, writeCriteria } from './query.ts';

/**
 * The page provider of the search screen. Of saved searches that use another page provider, only those of
 * `default_search` are listed, which earlier releases used.
 */
export const provider = 'console_search';

function Save({ criteria, onClose }: { readonly criteria: SearchCriteria; readonly onClose: () => void }) {
  const [title, setTitle] = useState(criteria.words);
  const save = async () => {
    const params = parametersOf(criteria);
    const contentViewData = writeCriteria(criteria).toString();
    await send(saveSearch, { search: { title, pageProviderName: provider, params, contentViewData } });
    await refresh();
  };
  return (
    <FormDialog
      title={text('search.save')}
      submit={text('save')}
      onSubmit={save}
      onClose={onClose}
      isDisabled={title.trim() === ''}
    >
      <TextField label={text('column.title')} value={title} onChange={setTitle} isRequired />
    </FormDialog>
  );
}

/** Lists the user's saved searches, and has a button that saves the current search. */
export function SavedSearches({ criteria }: { readonly criteria: SearchCriteria }) {
  const { data } = useAnswer(savedSearches, {});
  const [isSaving, setSaving] = useState(false);
  const all = data ? [...data.savedSearches.entries, ...data.earlier.entries] : [];
  const stored = all.filter(({ contentViewData }) => contentViewData);
  const remove = (id: string) => change(() => send(deleteSavedSearch, { id }));
  return (
    <section className="saved-searches" aria-label={text('search.saved')}>
      <ul className="chips">
        {stored.map(({ id, title, contentViewData }) => (
          <li key={id} className="chip">
            <Link href={`/search?${contentViewData}`}>{title}</Link>
            <IconButton label={`${text('form.remove')}: ${title}`} icon={X} onPress={() => remove(id)} />
          </li>
        ))}
      </ul>
      <Button kind="quiet" icon={Bookmark} onPress={() => setSaving(true)}>
        {text('search.save')}
      </Button>
      {isSaving && <Save criteria={criteria} onClose={() => setSaving(false)} />}
    </section>
  );
}
