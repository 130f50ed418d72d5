import { List, ListTree, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { bareFieldErrors, type FieldErrors } from '../form/errors.ts';
import { Fields } from '../form/field.tsx';
import { type FieldModel, withoutPrefix } from '../form/field-model.ts';
import { useSchemas } from '../form/use-model.ts';
import { differing, withoutGaps } from '../form/values.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  createEntry,
  type DirectoryEntriesQuery,
  deleteEntry,
  directoryEntries,
  updateEntry,
  type VocabulariesQuery,
  vocabularies,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm, deletion } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Select, TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { countText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { entryLabel } from '../values/suggestions.ts';
import { AdminTable } from './table.tsx';
import { VocabularyCsv } from './vocabulary-csv.tsx';
import { VocabularyTree } from './vocabulary-tree.tsx';

type Entry = DirectoryEntriesQuery['directory']['entries']['entries'][number];
type Directory = VocabulariesQuery['directories']['entries'][number];
type Properties = Readonly<Record<string, unknown>>;

interface EntryFormProps {
  readonly directory: string;
  /** The name of the field that contains the entry's id. */
  readonly idField: string;
  /** The fields of the entries, except the id field. */
  readonly fields: readonly FieldModel[];
  /** The entry to edit; absent if a new entry is being created. */
  readonly entry?: Entry;
  readonly onClose: () => void;
}

function EntryForm({ directory, idField, fields, entry, onClose }: EntryFormProps) {
  const [id, setId] = useState(entry?.id ?? '');
  const [stored] = useState((entry?.properties ?? {}) as Properties);
  const [values, setValues] = useState(stored);
  const [errors, setErrors] = useState<FieldErrors>({});
  const save = async () => {
    // Unchanged values are not sent, because labels are shown in the language of the page but would be saved for all
    // languages.
    const changed = withoutGaps(differing(values, stored));
    try {
      if (entry) await send(updateEntry, { directory, id, entry: { properties: changed } });
      else await send(createEntry, { directory, entry: { properties: { [idField]: id, ...changed } } });
    } catch (error) {
      setErrors(bareFieldErrors(error));
      throw error;
    }
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
      <Fields
        fields={fields}
        values={values}
        onChange={(name, value) => setValues((known) => ({ ...known, [name]: value }))}
        errors={errors}
        placeOf={(name) => name}
      />
    </FormDialog>
  );
}

/**
 * Shows the entries of a vocabulary one page at a time, because a vocabulary can have many thousands of entries.
 */
function Entries({ name: directory, schema, idField }: Directory) {
  const [model] = useSchemas([schema]) ?? [];
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const [edited, setEdited] = useState<Entry | 'new'>();
  const [deleted, setDeleted] = useState<Entry>();
  const [isTree, setTree] = useState(false);
  const { data, error } = useAnswer(directoryEntries, { directory, after: cursors.at(-1) ?? null });
  if (error) return <Failure error={error} />;
  if (!data || !model) return <Loading />;
  const { entries, hasNextPage, endCursor, total } = data.directory.entries;
  const fields = model.fields.map(withoutPrefix).filter(({ name }) => name !== idField);
  return (
    <>
      <div className="card-head">
        <p className="hint" role="status">
          {text('vocabularies.count', { count: countText(total) })}
        </p>
        <div className="actions">
          {data.directory.parent && (
            <Button icon={isTree ? List : ListTree} onPress={() => setTree(!isTree)}>
              {text(isTree ? 'vocabularies.list' : 'vocabularies.tree')}
            </Button>
          )}
          <VocabularyCsv directory={directory} idField={idField} fields={fields} />
          <Button icon={Plus} onPress={() => setEdited('new')}>
            {text('vocabularies.new')}
          </Button>
        </div>
      </div>
      {isTree && data.directory.parent && (
        <VocabularyTree directory={directory} parent={data.directory.parent} />
      )}
      {!isTree && (
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
      )}
      {!isTree && (
        <div className="actions">
          {cursors.length > 0 && (
            <Button onPress={() => setCursors(cursors.slice(0, -1))}>{text('page.before')}</Button>
          )}
          {hasNextPage && endCursor && (
            <Button onPress={() => setCursors([...cursors, endCursor])}>{text('page.next')}</Button>
          )}
        </div>
      )}
      {edited && (
        <EntryForm
          directory={directory}
          idField={idField}
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
  const { entries } = data.directories;
  const directory = entries.find(({ name }) => name === chosen) ?? entries[0];
  return (
    <section className="card">
      <div className="narrow">
        <Select
          label={text('vocabularies.one')}
          value={directory?.name ?? null}
          onChange={setChosen}
          options={entries.map(({ name }) => ({ id: name, label: name }))}
        />
      </div>
      {directory && <Entries key={directory.name} {...directory} />}
    </section>
  );
}
