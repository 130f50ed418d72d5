import type { LucideIcon } from 'lucide-react';
import {
  Copy,
  FileDown,
  FolderInput,
  MoreHorizontal,
  Pencil,
  PencilLine,
  RotateCcw,
  Tag,
  Trash2,
  X,
} from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton, type Selection } from 'react-aria-components';
import { ChooseFolder } from '../browse/choose-folder.tsx';
import { Rename } from '../browse/rename.tsx';
import type { RowFragment } from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Menu } from '../parts/menu.tsx';
import { attempt } from '../parts/notices.tsx';
import { countText } from '../parts/time.tsx';
import { useWidth } from '../parts/width.ts';
import { type TextKey, text } from '../texts/text.ts';
import { AddTags } from './add-tags.tsx';
import type { Found } from './bulk.ts';
import { SetProperty } from './set-property.tsx';
import { onFound, onRows, type Target } from './target.ts';
import { TitleList } from './title-list.tsx';

interface SelectionBarProps {
  readonly rows: readonly RowFragment[];
  /** The folder that is initially selected in the dialogs for moving and copying. */
  readonly path: string;
  readonly isTrash: boolean;
  /**
   * The whole result of the list, including documents that are not loaded; absent if the list does not support bulk
   * actions.
   */
  readonly all?: { readonly found: Found; readonly total: string | undefined; readonly selected: Selection };
  readonly onClear: () => void;
}

type ActionDialog = 'set' | 'tag' | 'move' | 'copy' | 'rename' | 'trash' | 'delete';

interface Offer {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly isDangerous?: boolean;
  readonly onPress: () => void;
}

/**
 * Estimated widths in pixels: of a character, of a button without its text, of the button that clears the selection
 * including its space, and of the button that opens the menu. They err on the large side.
 */
const widths = { character: 7.2, padding: 57, clear: 52, menu: 44 };

const textWidth = (label: string): number => label.length * widths.character;

/** The actions that a narrow bar shows first. */
const leading: readonly string[] = ['trash', 'restore', 'move', 'delete'];

/** Divides actions into those that fit into the bar, and the others, which are in a menu. */
function fitting(offers: readonly Offer[], room: number) {
  const sizeOf = ({ label }: Offer) => textWidth(label) + widths.padding;
  const needed = offers.reduce((sum, offer) => sum + sizeOf(offer), 0);
  let left = needed <= room ? room : room - widths.menu;
  const ranked = [
    ...offers.filter(({ id }) => leading.includes(id)),
    ...offers.filter(({ id }) => !leading.includes(id)),
  ];
  const shown = new Set<Offer>();
  for (const offer of ranked) {
    left -= sizeOf(offer);
    if (left < 0) break;
    shown.add(offer);
  }
  return {
    shown: offers.filter((offer) => shown.has(offer)),
    others: offers.filter((offer) => !shown.has(offer)),
  };
}

/**
 * Shows the actions for the selected documents: those that are checked, or all results of the list, including documents
 * that are not loaded.
 */
export function SelectionBar({ rows, path, isTrash, all, onClear }: SelectionBarProps) {
  // The selection for which the user chose the whole result. If the selection changes, the choice no longer applies.
  const [allOf, setAllOf] = useState<Selection>();
  const [openDialog, setOpenDialog] = useState<ActionDialog>();
  const [room, bar] = useWidth();
  const [first] = rows;
  if (!first) return null;
  const isAll = all !== undefined && allOf === all.selected;
  const target = isAll ? onFound(all.found) : onRows(rows);
  const clear = () => {
    setAllOf(undefined);
    onClear();
  };
  const close = () => setOpenDialog(undefined);
  const run = async (work: () => Promise<unknown>) => {
    await work();
    clear();
  };
  const offers = isTrash
    ? trashOffers(target, { run, open: setOpenDialog })
    : liveOffers(target, { run, open: setOpenDialog, isSingle: !isAll && rows.length === 1, isAll });
  const total = isAll ? all.total : countText(rows.length);
  const chosen = isAll ? allText(total) : text('selection.count', { count: rows.length });
  const hasMore = all !== undefined && !isAll && all.total !== countText(rows.length);
  const allLabel =
    all?.total === undefined ? text('bulk.chooseAllFound') : text('bulk.chooseAll', { count: all.total });
  const left = room - widths.clear - textWidth(chosen) - (hasMore ? textWidth(allLabel) + widths.padding : 0);
  const { shown, others } = fitting(offers, left);
  return (
    <div ref={bar} className="selection-bar" role="toolbar" aria-label={text('selection')}>
      <IconButton label={text('selection.clear')} icon={X} onPress={clear} />
      <span role="status">{chosen}</span>
      {hasMore && (
        <Button kind="quiet" onPress={() => setAllOf(all.selected)}>
          {allLabel}
        </Button>
      )}
      {shown.map(({ id, label, icon, isDangerous, onPress }) => (
        <Button key={id} icon={icon} kind={isDangerous ? 'danger' : 'plain'} onPress={onPress}>
          {label}
        </Button>
      ))}
      {others.length > 0 && (
        <Menu
          label={text('selection.more')}
          trigger={
            <AriaButton className="icon-button" aria-label={text('selection.more')}>
              <MoreHorizontal size={18} aria-hidden />
            </AriaButton>
          }
          entries={others.map(({ onPress, isDangerous = false, ...offer }) => ({
            ...offer,
            isDangerous,
            onAction: onPress,
          }))}
        />
      )}
      {openDialog && (
        <ActionDialogs
          which={openDialog}
          target={target}
          count={total}
          rows={isAll ? [] : rows}
          path={path}
          run={run}
          onClose={close}
        />
      )}
    </div>
  );
}

const allText = (total: string | undefined): string =>
  total === undefined ? text('bulk.allFound') : text('bulk.all', { count: total });

interface Handlers {
  readonly run: (work: () => Promise<unknown>) => Promise<void>;
  readonly open: (dialog: ActionDialog) => void;
}

const isOffer = (offer: Offer | false): offer is Offer => offer !== false;

function trashOffers({ may, restore }: Target, { run, open }: Handlers): Offer[] {
  if (!may('Remove')) return [];
  return [
    {
      id: 'restore',
      label: text('restore'),
      icon: RotateCcw,
      onPress: () => void attempt(() => run(restore)),
    },
    { id: 'delete', label: text('delete'), icon: Trash2, isDangerous: true, onPress: () => open('delete') },
  ];
}

/**
 * Returns the actions for documents that are not in the trash. An action is offered if at least one document allows it.
 * A notification lists the documents for which it fails.
 */
function liveOffers(
  { may, copy, exportCsv, trash }: Target,
  { run, open, isSingle, isAll }: Handlers & { readonly isSingle: boolean; readonly isAll: boolean },
): Offer[] {
  const offers: Array<Offer | false> = [
    isSingle &&
      may('WriteProperties') && {
        id: 'rename',
        label: text('rename'),
        icon: Pencil,
        onPress: () => open('rename'),
      },
    may('WriteProperties') && {
      id: 'set',
      label: text('bulk.set'),
      icon: PencilLine,
      onPress: () => open('set'),
    },
    { id: 'tag', label: text('bulk.tag'), icon: Tag, onPress: () => open('tag') },
    may('Remove') && { id: 'move', label: text('move'), icon: FolderInput, onPress: () => open('move') },
    copy !== undefined && { id: 'copy', label: text('copy'), icon: Copy, onPress: () => open('copy') },
    exportCsv !== undefined && {
      id: 'csv',
      label: text('search.csv'),
      icon: FileDown,
      onPress: () => void attempt(() => run(exportCsv)),
    },
    may('Remove') && {
      id: 'trash',
      label: text('trash'),
      icon: Trash2,
      // The whole result includes documents that are not shown and would disappear unnoticed, so the user must confirm
      // their number.
      onPress: () => (isAll ? open('trash') : void run(trash)),
    },
  ];
  return offers.filter(isOffer);
}

interface ActionDialogsProps {
  readonly which: ActionDialog;
  readonly target: Target;
  /** The number of documents; undefined if the server did not count them all. */
  readonly count: string | undefined;
  /** The selected documents; empty if all results are selected. */
  readonly rows: readonly RowFragment[];
  readonly path: string;
  readonly run: Handlers['run'];
  readonly onClose: () => void;
}

function ActionDialogs({ which, target, count, rows, path, run, onClose }: ActionDialogsProps): ReactNode {
  const choose = (title: string, work: (to: string) => Promise<unknown>) => (
    <ChooseFolder
      title={title}
      submit={title}
      path={path}
      onChoose={(to) => run(() => work(to))}
      onClose={onClose}
    />
  );
  const confirm = (title: string, question: string, work: () => Promise<unknown>) => (
    <FormDialog title={title} submit={title} isDangerous onSubmit={() => run(work)} onClose={onClose}>
      <p>{question}</p>
      <TitleList rows={rows} />
    </FormDialog>
  );
  const question = (counted: TextKey, uncounted: TextKey) =>
    count === undefined ? text(uncounted) : text(counted, { count });
  const [first] = rows;
  if (which === 'rename') return first && <Rename document={first} onClose={onClose} />;
  if (which === 'tag') return <AddTags onAdd={(tags) => run(() => target.tag(tags))} onClose={onClose} />;
  if (which === 'move') return choose(text('move'), target.move);
  if (which === 'copy') return target.copy && choose(text('copy'), target.copy);
  if (which === 'trash')
    return confirm(text('trash'), question('bulk.trashQuestion', 'bulk.trashAll'), target.trash);
  if (which === 'delete')
    return confirm(text('delete.title'), question('delete.question', 'bulk.deleteAll'), target.remove);
  return <SetProperty onSet={(properties) => run(() => target.set(properties))} onClose={onClose} />;
}
