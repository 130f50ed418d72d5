import { FileDown, FileUp } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import type { FieldModel } from '../form/field-model.ts';
import { differing } from '../form/values.ts';
import { refresh, send } from '../graphql/client.ts';
import type { Operation } from '../graphql/operation.ts';
import {
  createEntry,
  type StoredEntriesQuery,
  type StoredEntriesQueryVariables,
  storedEntries,
  updateEntry,
} from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { readCsv, writeCsv } from '../parts/csv.ts';
import { FormDialog } from '../parts/dialog.tsx';
import { attempt, notify } from '../parts/notices.tsx';
import { saveText } from '../parts/save-text.ts';
import { text } from '../texts/text.ts';

type Properties = Readonly<Record<string, unknown>>;

/** A query for a page of the entries of a vocabulary: as they are stored, or with labels in the language of the page. */
type EntriesQuery = Operation<StoredEntriesQuery, StoredEntriesQueryVariables>;

/** Reads all entries of a vocabulary, by id. */
export async function readEntries(
  directory: string,
  query: EntriesQuery = storedEntries,
): Promise<Map<string, Properties>> {
  const found = new Map<string, Properties>();
  let after: string | null = null;
  do {
    const answer: StoredEntriesQuery = await send(query, { directory, after });
    const { entries, hasNextPage, endCursor } = answer.directory.entries;
    for (const { id, properties } of entries) found.set(id, properties as Properties);
    after = hasNextPage ? (endCursor ?? null) : null;
  } while (after !== null);
  return found;
}

const asText = (value: unknown): string =>
  value === null || value === undefined
    ? ''
    : typeof value === 'object'
      ? JSON.stringify(value)
      : String(value);

/** Converts the text of a cell to a value of the field's type. An empty cell is no value. */
function asValue(cell: string, { kind }: FieldModel): unknown {
  if (cell === '') return null;
  if (kind === 'long' || kind === 'double') return Number(cell);
  return kind === 'boolean' ? cell === 'true' : cell;
}

interface Import {
  readonly created: ReadonlyArray<readonly [id: string, properties: Properties]>;
  readonly changed: ReadonlyArray<readonly [id: string, properties: Properties]>;
  readonly same: number;
}

/**
 * Compares the rows of a file with the stored entries.
 * @throws Error if a row has no id
 */
function compare(
  rows: readonly string[][],
  { idField, fields }: Pick<VocabularyProps, 'idField' | 'fields'>,
  stored: ReadonlyMap<string, Properties>,
): Import {
  const [names = [], ...lines] = rows;
  const created = new Map<string, Properties>();
  const changed = new Map<string, Properties>();
  let same = 0;
  for (const [index, line] of lines.entries()) {
    const id = line[names.indexOf(idField)];
    if (!id) throw new Error(text('vocabularies.noId', { line: index + 2, field: idField }));
    const values = Object.fromEntries(
      fields.flatMap((field) => {
        const cell = line[names.indexOf(field.name)];
        return cell === undefined ? [] : [[field.name, asValue(cell, field)]];
      }),
    );
    const known = stored.get(id);
    const different = known && differing(values, known);
    if (!different) created.set(id, values);
    else if (Object.keys(different).length > 0) changed.set(id, different);
    else same += 1;
  }
  return { created: [...created], changed: [...changed], same };
}

interface VocabularyProps {
  readonly directory: string;
  readonly idField: string;
  readonly fields: readonly FieldModel[];
}

/** Buttons that save the entries of a vocabulary as CSV, and that read such a file. */
export function VocabularyCsv({ directory, idField, fields }: VocabularyProps) {
  const [found, setFound] = useState<Import>();
  const save = async () => {
    const names = [idField, ...fields.map(({ name }) => name)];
    const entries = [...(await readEntries(directory))];
    const rows = entries.map(([id, values]) =>
      names.map((name) => (name === idField ? id : asText(values[name]))),
    );
    saveText(`${directory}.csv`, 'text/csv', writeCsv([names, ...rows]));
  };
  const read = async (files: FileList | null) => {
    const [file] = files ?? [];
    if (file)
      setFound(compare(readCsv(await file.text()), { idField, fields }, await readEntries(directory)));
  };
  const write = async ({ created, changed }: Import) => {
    for (const [id, properties] of created)
      await send(createEntry, { directory, entry: { properties: { [idField]: id, ...properties } } });
    for (const [id, properties] of changed) await send(updateEntry, { directory, id, entry: { properties } });
    await refresh();
    const count = created.length + changed.length;
    notify({ kind: 'done', message: text('vocabularies.imported', { count }) });
  };
  return (
    <>
      <Button icon={FileDown} onPress={() => void attempt(save)}>
        {text('vocabularies.export')}
      </Button>
      <FileTrigger
        acceptedFileTypes={['.csv', 'text/csv']}
        onSelect={(files) => void attempt(() => read(files))}
      >
        <Button icon={FileUp}>{text('vocabularies.import')}</Button>
      </FileTrigger>
      {found && (
        <FormDialog
          title={text('vocabularies.import')}
          submit={text('vocabularies.import')}
          onSubmit={() => write(found)}
          onClose={() => setFound(undefined)}
          isDisabled={found.created.length + found.changed.length === 0}
        >
          <p>
            {text('vocabularies.importing', {
              created: found.created.length,
              changed: found.changed.length,
              same: found.same,
            })}
          </p>
        </FormDialog>
      )}
    </>
  );
}
