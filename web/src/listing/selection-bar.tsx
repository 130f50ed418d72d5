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
  /** The folder that the dialogs for moving and copying select at first. */
  readonly path: string;
  readonly isTrash: boolean;
  /**
   * The whole result of the list, including rows that are not loaded; absent if the list does not support bulk
   * actions.
   */
  readonly all?: { readonly found: Found; readonly total: string | undefined; readonly selected: Selection };
  readonly onClear: () => void;
}

type ActionDialog = 'move' | 'copy' | 'rename' | 'delete';

/** The actions for the selected documents. */
export function SelectionBar({ rows, path, isTrash, all, onClear }: SelectionBarProps) {
  // The selection in which the user chose the whole result. Any other selection ends that choice.
  const [allOf, setAllOf] = useState<Selection>();
  const [openDialog, setOpenDialog] = useState<ActionDialog>();
  const [first] = rows;
  if (!first) return null;
  const clear = () => {
    setAllOf(undefined);
    onClear();
  };
  if (all && allOf === all.selected)
    return <FoundBar found={all.found} total={all.total} isTrash={isTrash} onClear={clear} />;
  const close = () => setOpenDialog(undefined);
  const run = async (work: (row: RowFragment) => Promise<unknown>, done: string) => {
    await withEach(rows, work, done);
    onClear();
  };
  const dialogs: Readonly<Record<ActionDialog, ReactNode>> = {
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
  // An action is offered if at least one document allows it; documents that refuse it are then reported by title.
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
          <Button icon={Trash2} kind="danger" onPress={() => setOpenDialog('delete')}>
            {text('delete')}
          </Button>
        </>
      )}
      {!isTrash && (
        <>
          {rows.length === 1 && may('WriteProperties') && (
            <Button icon={Pencil} onPress={() => setOpenDialog('rename')}>
              {text('rename')}
            </Button>
          )}
          {may('Remove') && (
            <Button icon={FolderInput} onPress={() => setOpenDialog('move')}>
              {text('move')}
            </Button>
          )}
          <Button icon={Copy} onPress={() => setOpenDialog('copy')}>
            {text('copy')}
          </Button>
          {may('Remove') && (
            <Button icon={Trash2} onPress={trash}>
              {text('trash')}
            </Button>
          )}
        </>
      )}
      {openDialog && dialogs[openDialog]}
    </div>
  );
}
