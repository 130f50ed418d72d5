import { Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  createEntry,
  type DirectoryEntriesQuery,
  deleteEntry,
  directoryEntries,
  updateEntry,
  vocabularies,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { countText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { entryLabel } from '../values/suggestions.ts';
import { Confirm, deletion } from './confirm.tsx';
import { AdminTable } from './table.tsx';

type Entry = DirectoryEntriesQuery['directory']['entries']['entries'][number];
type Properties = Readonly<Record<string, unknown>>;

interface EntryFormProps {
  readonly directory: string;
  /** Fields that entries of the directory have, besides the id. */
  readonly fields: readonly string[];
  /** Absent for a new one. */
  readonly entry?: Entry;
  readonly onClose: () => void;
}

function EntryForm({ directory, fields, entry, onClose }: EntryFormProps) {
  const [id, setId] = useState(entry?.id ?? '');
  const [values, setValues] = useState<Properties>({ ...(entry?.properties as Properties | undefined) });
  const save = async () => {
    const changed = Object.fromEntries(fields.map((name) => [name, values[name] ?? null]));
    if (entry) await send(updateEntry, { directory, id, entry: { properties: changed } });
    else await send(createEntry, { directory, entry: { properties: { id, ...changed } } });
    await refresh();
  };
  return (
    <FormDialog
      title={entry ? entry.id : text('vocabularies.new')}
      submit={text('save')}
      onSubmit={save}
      onClose={onClose}
      isDisabled={id.trim() === ''}
    >
      {!entry && <TextField label={text('vocabularies.id')} value={id} onChange={setId} isRequired />}
      {fields.map((name) => (
        <TextField
          key={name}
          label={name}
          value={String(values[name] ?? '')}
          onChange={(value) => setValues((known) => ({ ...known, [name]: value }))}
        />
      ))}
    </FormDialog>
  );
}

/** A page of entries after another; a vocabulary may have very many. */
function Entries({ directory }: { readonly directory: string }) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [edited, setEdited] = useState<Entry | 'new'>();
  const [deleted, setDeleted] = useState<Entry>();
  const { data, error } = useAnswer(directoryEntries, { directory, after: cursors.at(-1) ?? null });
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const { entries, hasNextPage, endCursor, total } = data.directory.entries;
  const names = Object.keys(
    (entries[0]?.properties ?? { label: '', ordering: '', obsolete: '' }) as Properties,
  );
  const fields = names.filter((name) => name !== 'id');
  return (
    <>
      <div className="card-head">
        <p className="hint" role="status">
          {text('vocabularies.count', { count: countText(total) })}
        </p>
        <Button icon={Plus} onPress={() => setEdited('new')}>
          {text('vocabularies.new')}
        </Button>
      </div>
      <AdminTable
        label={directory}
        entries={entries}
        keyOf={({ id }) => id}
        empty={text('vocabularies.none')}
        columns={[
          { label: text('vocabularies.id'), value: ({ id }) => id },
          { label: text('vocabularies.label'), value: ({ id, properties }) => entryLabel(id, properties) },
          ...(data.directory.parent
            ? [
                {
                  label: text('vocabularies.parent'),
                  value: ({ properties }: Entry) => String((properties as Properties).parent ?? ''),
                },
              ]
            : []),
        ]}
        actions={(entry) => (
          <>
            <IconButton
              label={`${text('edit')}: ${entry.id}`}
              icon={Pencil}
              onPress={() => setEdited(entry)}
            />
            <IconButton
              label={`${text('delete')}: ${entry.id}`}
              icon={Trash2}
              onPress={() => setDeleted(entry)}
            />
          </>
        )}
      />
      <div className="actions">
        {cursors.length > 0 && (
          <Button onPress={() => setCursors(cursors.slice(0, -1))}>{text('page.before')}</Button>
        )}
        {hasNextPage && endCursor && (
          <Button onPress={() => setCursors([...cursors, endCursor])}>{text('page.next')}</Button>
        )}
      </div>
      {edited && (
        <EntryForm
          directory={directory}
          fields={fields}
          {...(edited !== 'new' && { entry: edited })}
          onClose={() => setEdited(undefined)}
        />
      )}
      {deleted && (
        <Confirm
          {...deletion(deleted.id)}
          onConfirm={() => send(deleteEntry, { directory, id: deleted.id })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </>
  );
}

export function Vocabularies() {
  const { data, error } = useAnswer(vocabularies, {});
  const [chosen, setChosen] = useState<string>();
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const names = data.directories.entries.map(({ name }) => name);
  const directory = chosen ?? names[0];
  return (
    <section className="card">
      <div className="narrow">
        <Select
          label={text('vocabularies.one')}
          value={directory ?? null}
          onChange={setChosen}
          options={names.map((id) => ({ id, label: id }))}
        />
      </div>
      {directory && <Entries key={directory} directory={directory} />}
    </section>
  );
}
