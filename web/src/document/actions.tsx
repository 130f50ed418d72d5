import { Copy, FolderInput, Lock, LockOpen, Pencil, RotateCcw, Share2, Trash2, Workflow } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useSession } from '../app/session.ts';
import { ChooseFolder } from '../browse/choose-folder.tsx';
import { Rename } from '../browse/rename.tsx';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import {
  copyDocument,
  followTransition,
  lockDocument,
  moveDocument,
  trashDocument,
  unlockDocument,
  untrashDocument,
} from '../graphql/operations.ts';
import { parentPath } from '../listing/target.ts';
import type { MenuEntry } from '../parts/menu.tsx';
import { ShareDialog } from '../permissions/grant.tsx';
import { text, textOr } from '../texts/text.ts';
import { may, type Shown } from './document.ts';

type Dialog = 'rename' | 'move' | 'copy' | 'share';

export const mayShare = (document: Shown): boolean =>
  may(document, 'WriteSecurity') && !document.isVersion && !document.isTrashed;

export const mayEdit = (document: Shown): boolean =>
  may(document, 'WriteProperties') && !document.isVersion && !document.isProxy;

/** Returns the menu entry that locks or unlocks a document; undefined if the user can do neither. */
function useLockEntry(document: Shown): MenuEntry | undefined {
  const { user } = useSession();
  const { uid, lockOwner } = document;
  const unlock = () => send(unlockDocument, { id: uid });
  const lock = () => send(lockDocument, { id: uid });
  if (lockOwner) {
    const mayUnlock = lockOwner === user.id || user.isAdministrator || may(document, 'Unlock');
    if (!mayUnlock) return undefined;
    const onAction = () => change(unlock, text('done.unlocked'));
    return { id: 'unlock', label: text('unlock'), icon: LockOpen, onAction };
  }
  if (!may(document, 'WriteProperties')) return undefined;
  return {
    id: 'lock',
    label: text('lock'),
    icon: Lock,
    onAction: () => change(lock, text('done.locked'), unlock),
  };
}

const stateEntries = ({ uid, transitions }: Shown): MenuEntry[] =>
  transitions
    .filter((name) => name !== 'delete' && name !== 'undelete')
    .map((transition) => ({
      id: transition,
      label: textOr(`transition.${transition}`, transition),
      icon: Workflow,
      onAction: () => change(() => send(followTransition, { id: uid, transition }), text('done.state')),
    }));

function trashEntry({ uid, isTrashed }: Shown): MenuEntry {
  const trash = () => send(trashDocument, { id: uid });
  const restore = () => send(untrashDocument, { id: uid });
  return isTrashed
    ? {
        id: 'restore',
        label: text('restore'),
        icon: RotateCcw,
        onAction: () => change(restore, text('done.restored'), trash),
      }
    : {
        id: 'trash',
        label: text('trash'),
        icon: Trash2,
        isDangerous: true,
        onAction: () => change(trash, text('done.trashed'), restore),
      };
}

interface Actions {
  /** The entries of the menu: the actions that the document's state and the user's permissions allow. */
  readonly entries: readonly MenuEntry[];
  readonly share: () => void;
  /** The dialog of the action that the user has chosen. */
  readonly dialog: ReactNode;
}

/** The actions of a document. */
export function useActions(document: Shown): Actions {
  const [open, setOpen] = useState<Dialog>();
  const lock = useLockEntry(document);
  const { uid, title, path, isTrashed, isVersion, isProxy } = document;
  const close = () => setOpen(undefined);
  const isLive = !isVersion && !isProxy && !isTrashed;
  const opens = (id: Dialog, label: string, icon: MenuEntry['icon']): MenuEntry => ({
    id,
    label,
    icon,
    onAction: () => setOpen(id),
  });
  const mayRemove = !isVersion && may(document, 'Remove');
  const entries = [
    mayShare(document) && opens('share', text('permissions.grant'), Share2),
    isLive && mayEdit(document) && opens('rename', text('rename'), Pencil),
    mayRemove && !isTrashed && opens('move', text('move'), FolderInput),
    !isTrashed && opens('copy', text('copy'), Copy),
    isLive && lock,
    ...(isLive && may(document, 'WriteLifeCycle') ? stateEntries(document) : []),
    mayRemove && trashEntry(document),
  ].filter((entry) => typeof entry === 'object');
  const move = async (target: string) =>
    change(
      () => send(moveDocument, { id: uid, target }),
      text('done.moved'),
      () => send(moveDocument, { id: uid, target: parentPath(path) }),
    );
  const copy = async (target: string) =>
    change(() => send(copyDocument, { id: uid, target }), text('done.copied'));
  const choose = (label: string, onChoose: (target: string) => Promise<unknown>) => (
    <ChooseFolder title={label} submit={label} path={parentPath(path)} onChoose={onChoose} onClose={close} />
  );
  const dialogs: Readonly<Record<Dialog, () => ReactNode>> = {
    share: () => <ShareDialog uid={uid} onClose={close} />,
    rename: () => <Rename document={{ uid, title }} onClose={close} />,
    move: () => choose(text('move'), move),
    copy: () => choose(text('copy'), copy),
  };
  return { entries, share: () => setOpen('share'), dialog: open && dialogs[open]() };
}
