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
  /** How many there are; absent where they were too many to count. */
  readonly total: string | undefined;
  readonly isTrash: boolean;
  readonly onClear: () => void;
}

type Asking = 'move' | 'set' | 'trash' | 'delete';

/** What can be done with all that was found, shown or not; the server goes on with it by itself. */
export function FoundBar({ found, total, isTrash, onClear }: FoundBarProps) {
  const [asking, setAsking] = useState<Asking>();
  const close = () => setAsking(undefined);
  const count = total ?? text('bulk.unknown');
  const label = total === undefined ? text('bulk.allFound') : text('bulk.all', { count: total });
  const run = async (action: string, name: string, parameters = {}) => {
    await runBulk(found, action, name, parameters);
    onClear();
  };
  const sure = (action: string, title: string, question: string) => (
    <FormDialog title={title} submit={title} isDangerous onSubmit={() => run(action, title)} onClose={close}>
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
    trash: () => sure('trash', text('trash'), text('bulk.trashQuestion', { count })),
    delete: () => sure('deletion', text('delete.title'), text('delete.question', { count })),
  };
  const button = (key: Asking, shown: string, icon: typeof Trash2) => (
    <Button icon={icon} onPress={() => setAsking(key)}>
      {shown}
    </Button>
  );
  const begin = (action: string, name: string) => () => void attempt(() => run(action, name));
  return (
    <div className="selection-bar" role="toolbar" aria-label={label}>
      <IconButton label={text('selection.clear')} icon={X} onPress={onClear} />
      <span role="status">{label}</span>
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
      {asking && dialogs[asking]()}
    </div>
  );
}
