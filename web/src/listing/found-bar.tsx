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
  /** The number of documents in the result, formatted; undefined if the server did not count them all. */
  readonly total: string | undefined;
  readonly isTrash: boolean;
  readonly onClear: () => void;
}

type BulkDialog = 'move' | 'set' | 'trash' | 'delete';

/**
 * The bulk actions over a whole search result, including documents that are not loaded. The server runs them, and
 * continues when the page is closed.
 */
export function FoundBar({ found, total, isTrash, onClear }: FoundBarProps) {
  const [openDialog, setOpenDialog] = useState<BulkDialog>();
  const close = () => setOpenDialog(undefined);
  const count = total ?? text('bulk.unknown');
  const label = total === undefined ? text('bulk.allFound') : text('bulk.all', { count: total });
  const run = async (action: string, name: string, parameters = {}) => {
    await runBulk(found, action, name, parameters);
    onClear();
  };
  const confirmation = (action: string, title: string, question: string) => (
    <FormDialog title={title} submit={title} isDangerous onSubmit={() => run(action, title)} onClose={close}>
      <p>{question}</p>
    </FormDialog>
  );
  const dialogs: Readonly<Record<BulkDialog, () => ReactNode>> = {
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
    trash: () => confirmation('trash', text('trash'), text('bulk.trashQuestion', { count })),
    delete: () => confirmation('deletion', text('delete.title'), text('delete.question', { count })),
  };
  const button = (key: BulkDialog, shown: string, icon: typeof Trash2) => (
    <Button icon={icon} onPress={() => setOpenDialog(key)}>
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
      {openDialog && dialogs[openDialog]()}
    </div>
  );
}
