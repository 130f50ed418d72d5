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
import { type Asked, parametersOf, writeAsked } from './query.ts';

/** The page provider of this page: searches of others are not shown here. */
export const provider = 'default_search';

function Save({ asked, onClose }: { readonly asked: Asked; readonly onClose: () => void }) {
  const [title, setTitle] = useState(asked.words);
  const save = async () => {
    const params = parametersOf(asked);
    const contentViewData = writeAsked(asked).toString();
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
      <TextField label={text('column.title')} value={title} onChange={setTitle} autoFocus isRequired />
    </FormDialog>
  );
}

/** Searches that were kept, and keeping this one. */
export function SavedSearches({ asked }: { readonly asked: Asked }) {
  const { data } = useAnswer(savedSearches, { provider });
  const [isSaving, setSaving] = useState(false);
  const kept = (data?.savedSearches.entries ?? []).filter(({ contentViewData }) => contentViewData);
  const remove = (id: string) => change(() => send(deleteSavedSearch, { id }));
  return (
    <section className="saved-searches" aria-label={text('search.saved')}>
      <ul className="chips">
        {kept.map(({ id, title, contentViewData }) => (
          <li key={id} className="chip">
            <Link href={`/search?${contentViewData}`}>{title}</Link>
            <IconButton label={`${text('form.remove')}: ${title}`} icon={X} onPress={() => remove(id)} />
          </li>
        ))}
      </ul>
      <Button kind="quiet" icon={Bookmark} onPress={() => setSaving(true)}>
        {text('search.save')}
      </Button>
      {isSaving && <Save asked={asked} onClose={() => setSaving(false)} />}
    </section>
  );
}
