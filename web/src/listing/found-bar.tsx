import { FileDown, FolderInput, PencilLine, RotateCcw, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { ChooseFolder } from '../browse/choose-folder.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { attempt } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { type Found, runBulk } from './bulk.ts';
import { SetProperty } from './set-property.tsx';

interface FoundBarProps {
  readonly found: Found;
  /** How many there are, as text. */
  readonly total: string;
  readonly isTrash: boolean;
  readonly onClear: () => void;
}

type Asking = 'move' | 'set' | 'trash' | 'delete';

/** What can be done with all that was found, shown or not; the server goes on with it by itself. */
export function FoundBar({ found, total, isTrash, onClear }: FoundBarProps) {
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const run = async (action: string, label: string, parameters = {}) => {
    await runBulk(found, action, label, parameters);
    onClear();
  };
  const sure = (action: string, label: string, question: string) => (
    <FormDialog title={label} submit={label} isDangerous onSubmit={() => run(action, label)} onClose={close}>
      <p>{question}</p>
    </FormDialog>
  );
  const dialogs: Readonly<Record<Asking, () => ReactNode>> = {
    move: () => (
      <ChooseFolder
        title={text('move')}
        submit={text('move')}
        path="/"
        onChoose={(target) => run('move', text('move'), { target })}
        onClose={close}
      />
    ),
    set: () => (
      <SetProperty
        onSet={(properties) => run('setProperties', text('bulk.set'), properties)}
        onClose={close}
      />
    ),
    trash: () => sure('trash', text('trash'), text('bulk.trashQuestion', { count: total })),
    delete: () => sure('deletion', text('delete.title'), text('delete.question', { count: total })),
  };
  const button = (key: Asking, label: string, icon: typeof Trash2) => (
    <Button icon={icon} onPress={() => setAsking(key)}>
      {label}
    </Button>
  );
  const begin = (action: string, label: string) => () => void attempt(() => run(action, label));
  return (
    <div className="selection-bar" role="toolbar" aria-label={text('bulk.all', { count: total })}>
      <span role="status">{text('bulk.all', { count: total })}</span>
      {isTrash ? (
        <>
          <Button icon={RotateCcw} onPress={begin('untrash', text('restore'))}>
            {text('restore')}
          </Button>
          {button('delete', text('delete'), Trash2)}
        </>
      ) : (
        <>
          {button('set', text('bulk.set'), PencilLine)}
          {button('move', text('move'), FolderInput)}
          {button('trash', text('trash'), Trash2)}
          {button('delete', text('delete'), Trash2)}
          <Button icon={FileDown} onPress={begin('csvExport', text('search.csv'))}>
            {text('search.csv')}
          </Button>
        </>
      )}
      <IconButton label={text('selection.clear')} icon={X} onPress={onClear} />
      {asking && dialogs[asking]()}
    </div>
  );
}
