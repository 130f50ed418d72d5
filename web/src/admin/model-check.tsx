import { FileUp } from 'lucide-react';
import { useState } from 'react';
import { DropZone, FileTrigger } from 'react-aria-components';
import { send } from '../graphql/client.ts';
import { type ModelCheckQuery, modelCheck } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { TextField } from '../parts/fields.tsx';
import { attempt } from '../parts/notices.tsx';
import { countText } from '../parts/time.tsx';
import { type TextKey, text, textOr } from '../texts/text.ts';
import { droppedFiles } from '../uploads/dropped.ts';
import { AdminTable } from './table.tsx';

type Check = ModelCheckQuery['modelCheck'];
type Change = Check['changes'][number];

/** Shows how a change of the model affects existing documents. */
function meaningOf({ kind, change, documents, isMinimum }: Change): string {
  if (documents === null || documents === undefined) return '';
  if (documents === 0) return text('model.noDocuments');
  const count = isMinimum ? `≥ ${countText(documents)}` : countText(documents);
  const shown = text(
    kind === 'field' || kind === 'schema'
      ? 'model.haveValues'
      : kind === 'type'
        ? 'model.haveType'
        : 'model.haveFacet',
    { count },
  );
  return change === 'removed' ? `${shown} ${text('model.hidden')}` : shown;
}

/** A change of an attribute, as in `maxLength: 10 → 20`. */
const differenceText = ({ name, before, after }: Change['differences'][number]): string => {
  if (!before) return `${name}: ${after}`;
  return `${name}: ${before} → ${after || '–'}`;
};

const Changes = ({ changes }: Pick<Check, 'changes'>) => (
  <AdminTable
    label={text('model.changes')}
    entries={changes}
    keyOf={({ kind, name }) => `${kind} ${name}`}
    empty={text('model.noChanges')}
    columns={[
      { label: text('column.title'), value: ({ name }) => name },
      { label: text('model.kind'), value: ({ kind }) => text(`model.kind.${kind}` as TextKey) },
      {
        label: text('model.change'),
        value: ({ change, differences }) => (
          <>
            <strong>{textOr(`model.change.${change}`, change)}</strong>
            {change !== 'removed' &&
              differences.map((each) => (
                <span key={each.name} className="hint model-difference">
                  {differenceText(each)}
                </span>
              ))}
          </>
        ),
      },
      { label: text('model.meaning'), value: meaningOf },
    ]}
  />
);

const Faults = ({ faults }: Pick<Check, 'faults'>) => (
  <>
    <p className="bad">{text('model.faulty', { count: faults.length })}</p>
    <AdminTable
      label={text('model.faults')}
      entries={faults.map((fault, index) => ({ ...fault, index }))}
      keyOf={({ index }) => index}
      empty=""
      columns={[
        { label: text('storage.file'), value: ({ file, line }) => [file, line].filter(Boolean).join(':') },
        {
          label: text('model.place'),
          value: ({ location }) => <code className="long-text">{location}</code>,
        },
        { label: text('model.fault'), value: ({ fault }) => fault },
      ]}
    />
  </>
);

/** Checks a changed model file, which the user drops, chooses or pastes. Nothing is stored. */
export function ModelCheck() {
  const [name, setName] = useState('model.json');
  const [content, setContent] = useState('');
  const [isBusy, setBusy] = useState(false);
  const [found, setFound] = useState<{ readonly name: string; readonly check: Check }>();
  const check = async (file: { readonly name: string; readonly text: string }) => {
    setBusy(true);
    await attempt(async () => {
      const { modelCheck: result } = await send(modelCheck, { file });
      setFound({ name: file.name, check: result });
    });
    setBusy(false);
  };
  const read = async (file: File | undefined) => {
    if (!file) return;
    const given = { name: file.name, text: await file.text() };
    setName(given.name);
    setContent(given.text);
    await check(given);
  };
  return (
    <section className="card stack" aria-label={text('model.check')}>
      <h2>{text('model.check')}</h2>
      <p className="hint">{text('model.checkHint')}</p>
      <DropZone
        className="file-drop stack"
        aria-label={text('model.drop')}
        getDropOperation={() => 'copy'}
        onDrop={({ items }) => void droppedFiles(items).then(([first]) => read(first?.file))}
      >
        <div className="card-head">
          <TextField label={text('model.fileName')} value={name} onChange={setName} />
          <FileTrigger acceptedFileTypes={['.json']} onSelect={(files) => void read(files?.[0])}>
            <Button icon={FileUp}>{text('form.chooseFile')}</Button>
          </FileTrigger>
        </div>
        <TextField label={text('model.content')} rows={8} value={content} onChange={setContent} />
      </DropZone>
      <div className="actions">
        <Button
          kind="main"
          isDisabled={isBusy || content.trim() === ''}
          onPress={() => void check({ name, text: content })}
        >
          {text('model.checkNow')}
        </Button>
      </div>
      {found && (
        <div className="stack" role="status" aria-label={text('model.result', { name: found.name })}>
          {found.check.faults.length > 0 ? (
            <Faults faults={found.check.faults} />
          ) : (
            <>
              <p className="good">{text('model.valid', { name: found.name })}</p>
              <Changes changes={found.check.changes} />
            </>
          )}
        </div>
      )}
    </section>
  );
}
