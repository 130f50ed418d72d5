import { Copy, FolderInput, Pencil, RotateCcw, Trash2, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Selection } from 'react-aria-components';
import { ChooseFolder } from '../browse/choose-folder.tsx';
import { Rename } from '../browse/rename.tsx';
import { send } from '../graphql/client.ts';
import {
  copyDocument,
  deleteDocument,
  moveDocument,
  type RowFragment,
  trashDocument,
  untrashDocument,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { countText } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import type { Found } from './bulk.ts';
import { FoundBar } from './found-bar.tsx';
import { withEach } from './selection.ts';

interface SelectionBarProps {
  readonly rows: readonly RowFragment[];
  /** Where they are, for the choice of another folder. */
  readonly path: string;
  readonly isTrash: boolean;
  /** All that the list has, loaded or not, where they can be chosen together. */
  readonly all?: { readonly found: Found; readonly total: string | undefined; readonly selected: Selection };
  readonly onClear: () => void;
}

type Asking = 'move' | 'copy' | 'rename' | 'delete';

/** What can be done with the selected documents. */
export function SelectionBar({ rows, path, isTrash, all, onClear }: SelectionBarProps) {
  // The choice of all ends with the selection that it was made in.
  const [allOf, setAllOf] = useState<Selection>();
  const [asking, setAsking] = useState<Asking>();
  const [first] = rows;
  if (!first) return null;
  const clear = () => {
    setAllOf(undefined);
    onClear();
  };
  if (all && allOf === all.selected)
    return <FoundBar found={all.found} total={all.total} isTrash={isTrash} onClear={clear} />;
  const close = () => setAsking(undefined);
  const run = async (work: (row: RowFragment) => Promise<unknown>, done: string) => {
    await withEach(rows, work, done);
    onClear();
  };
  const dialogs: Readonly<Record<Asking, ReactNode>> = {
    move: (
      <ChooseFolder
        title={text('move')}
        submit={text('move')}
        path={path}
        onChoose={(target) => run(({ uid }) => send(moveDocument, { id: uid, target }), text('done.moved'))}
        onClose={close}
      />
    ),
    copy: (
      <ChooseFolder
        title={text('copy')}
        submit={text('copy')}
        path={path}
        onChoose={(target) => run(({ uid }) => send(copyDocument, { id: uid, target }), text('done.copied'))}
        onClose={close}
      />
    ),
    rename: <Rename document={first} onClose={close} />,
    delete: (
      <FormDialog
        title={text('delete.title')}
        submit={text('delete')}
        isDangerous
        onSubmit={() => run(({ uid }) => send(deleteDocument, { id: uid }), text('done.deleted'))}
        onClose={close}
      >
        <p>{text('delete.question', { count: rows.length })}</p>
      </FormDialog>
    ),
  };
  // What one of them allows is tried with each; the others are named as refused.
  const may = (permission: string) =>
    rows.some(({ contextParameters: { permissions } }) => permissions.includes(permission));
  const trash = () => void run(({ uid }) => send(trashDocument, { id: uid }), text('done.trashed'));
  const restore = () => void run(({ uid }) => send(untrashDocument, { id: uid }), text('done.restored'));
  return (
    <div className="selection-bar" role="toolbar" aria-label={text('selection')}>
      <IconButton label={text('selection.clear')} icon={X} onPress={onClear} />
      <span role="status">{text('selection.count', { count: countText(rows.length) })}</span>
      {all && all.total !== '1' && (
        <Button kind="quiet" onPress={() => setAllOf(all.selected)}>
          {all.total === undefined
            ? text('bulk.chooseAllFound')
            : text('bulk.chooseAll', { count: all.total })}
        </Button>
      )}
      {isTrash && may('Remove') && (
        <>
          <Button icon={RotateCcw} onPress={restore}>
            {text('restore')}
          </Button>
          <Button icon={Trash2} kind="danger" onPress={() => setAsking('delete')}>
            {text('delete')}
          </Button>
        </>
      )}
      {!isTrash && (
        <>
          {rows.length === 1 && may('WriteProperties') && (
            <Button icon={Pencil} onPress={() => setAsking('rename')}>
              {text('rename')}
            </Button>
          )}
          {may('Remove') && (
            <Button icon={FolderInput} onPress={() => setAsking('move')}>
              {text('move')}
            </Button>
          )}
          <Button icon={Copy} onPress={() => setAsking('copy')}>
            {text('copy')}
          </Button>
          {may('Remove') && (
            <Button icon={Trash2} onPress={trash}>
              {text('trash')}
            </Button>
          )}
        </>
      )}
      {asking && dialogs[asking]}
    </div>
  );
}
