import {
  BellOff,
  BellPlus,
  ClipboardPaste,
  Copy,
  CopyPlus,
  Download,
  Eye,
  FileDown,
  FileUp,
  FolderInput,
  Link2,
  Lock,
  LockOpen,
  type LucideIcon,
  Pencil,
  PencilLine,
  RotateCcw,
  Scissors,
  Share2,
  SquareArrowOutUpRight,
  Tag,
  TextCursorInput,
  Trash2,
  Workflow,
} from 'lucide-react';
import { useNavigate } from 'react-router';
import { type User, useSession } from '../app/session.ts';
import { send } from '../graphql/client.ts';
import { follow, followTransition, lockDocument, unfollow, unlockDocument } from '../graphql/operations.ts';
import { addressOf, documentAddress } from '../listing/address.ts';
import { withEach } from '../listing/selection.ts';
import { onFound, onRows, type Target } from '../listing/target.ts';
import { copyText } from '../parts/copy-button.tsx';
import { attempt, notify } from '../parts/notices.tsx';
import { pickFile } from '../parts/pick-file.ts';
import { type TextKey, text, textOr } from '../texts/text.ts';
import { replaceFile } from '../uploads/uploads.ts';
import { fillClipboard, hasClipboard, paste, useClipboard } from './clipboard.ts';
import { type ActionDialog, opened } from './open.ts';
import { reasonAgainst, reasonAgainstUnlocking } from './reasons.ts';
import type { Actionable, Subject } from './subject.ts';

interface Use {
  readonly subject: Subject;
  readonly documents: readonly Actionable[];
  readonly first: Actionable;
  readonly target: Target;
  readonly user: User;
  readonly go: (address: string) => void;
  readonly ask: (dialog: ActionDialog) => void;
  /** Runs the action and then clears the selection. A notification reports an error. */
  readonly run: (work: () => Promise<unknown>) => void;
}

interface Action {
  readonly id: string;
  readonly label: TextKey;
  readonly icon: LucideIcon;
  /** The key that runs the action, such as `F2` or `Mod+X`. */
  readonly keys?: string;
  /** The permission that the action requires on each document. */
  readonly permission?: string;
  readonly isDangerous?: boolean;
  /** Whether the action applies to one document only. */
  readonly isSingle?: boolean;
  /** Whether the server can apply the action to all results of a list. */
  readonly isForAll?: boolean;
  /** Whether the bar of a selection has a button for the action. */
  readonly isInBar?: boolean;
  /** Whether the action makes sense for a document. If not, it is not offered. */
  readonly suits: (document: Actionable) => boolean;
  /** Returns why the action is not possible, besides a missing permission. */
  readonly reason?: (document: Actionable, user: User) => string | undefined;
  readonly run: (use: Use) => void;
}

const isFolder = ({ facets }: Actionable): boolean => facets.includes('Folderish');

const isRoot = ({ path }: Actionable): boolean => path === '/';

/** Whether a document can be changed in place: it is neither a version, nor a published copy, nor in the trash. */
const isLive = ({ isVersion, isProxy, isTrashed }: Actionable): boolean =>
  !isVersion && !isProxy && !isTrashed;

const isPlaced = (document: Actionable): boolean =>
  !document.isVersion && !document.isTrashed && !isRoot(document);

/** Downloads the file of a document. */
function download({ uid, title }: Actionable): void {
  const link = document.createElement('a');
  link.href = new URL(`api/v1/id/${uid}/@blob`, document.baseURI).href;
  link.download = title;
  link.click();
}

async function copyLink(document: Actionable): Promise<void> {
  await copyText(new URL(addressOf(document).slice(1), globalThis.document.baseURI).href);
  notify({ kind: 'done', message: text('copy.done') });
}

const startFollowing = ({ uid }: Actionable) => send(follow, { id: uid });
const stopFollowing = ({ uid }: Actionable) => send(unfollow, { id: uid });

/** Whether the user is notified of changes of a document; undefined if it is not known. */
const isFollowed = ({ contextParameters: { subscribedNotifications } }: Actionable): boolean | undefined =>
  subscribedNotifications && subscribedNotifications.length > 0;

const lock = ({ uid }: Actionable) => send(lockDocument, { id: uid });
const unlock = ({ uid }: Actionable) => send(unlockDocument, { id: uid });

/** All actions of documents, in the order of menus. Every menu, bar, key and the palette are made from this list. */
const actions: readonly Action[] = [
  {
    id: 'open',
    label: 'action.open',
    icon: SquareArrowOutUpRight,
    keys: 'Enter',
    isSingle: true,
    suits: () => true,
    run: ({ first, go }) => go(addressOf(first)),
  },
  {
    id: 'peek',
    label: 'action.peek',
    icon: Eye,
    keys: 'Space',
    isSingle: true,
    suits: (document) => !isFolder(document),
    run: ({ first }) => opened.set({ kind: 'peek', document: first }),
  },
  {
    id: 'edit',
    label: 'edit',
    icon: Pencil,
    permission: 'WriteProperties',
    isSingle: true,
    suits: isLive,
    run: ({ first, go }) => go(documentAddress(first.uid, 'edit')),
  },
  {
    id: 'download',
    label: 'download',
    icon: Download,
    isSingle: true,
    suits: ({ blob }) => blob != null,
    run: ({ first }) => download(first),
  },
  {
    id: 'replace',
    label: 'form.replaceFile',
    icon: FileUp,
    permission: 'WriteProperties',
    isSingle: true,
    suits: (document) => isLive(document) && document.file != null,
    run: ({ first }) => pickFile((file) => void replaceFile(first.uid, file)),
  },
  {
    id: 'share',
    label: 'permissions.grant',
    icon: Share2,
    permission: 'WriteSecurity',
    isSingle: true,
    suits: ({ isVersion, isTrashed }) => !isVersion && !isTrashed,
    run: ({ ask }) => ask('share'),
  },
  {
    id: 'link',
    label: 'links.copy',
    icon: Link2,
    isSingle: true,
    suits: () => true,
    run: ({ first }) => void attempt(() => copyLink(first)),
  },
  {
    id: 'rename',
    label: 'rename',
    icon: TextCursorInput,
    keys: 'F2',
    permission: 'WriteProperties',
    isSingle: true,
    isInBar: true,
    suits: (document) => isLive(document) && !isRoot(document),
    run: ({ ask }) => ask('rename'),
  },
  {
    id: 'set',
    label: 'bulk.set',
    icon: PencilLine,
    permission: 'WriteProperties',
    isForAll: true,
    isInBar: true,
    suits: isLive,
    run: ({ ask }) => ask('set'),
  },
  {
    id: 'tag',
    label: 'bulk.tag',
    icon: Tag,
    isForAll: true,
    isInBar: true,
    suits: (document) => !document.isTrashed && !document.isProxy && !isRoot(document),
    run: ({ ask }) => ask('tag'),
  },
  {
    id: 'move',
    label: 'move',
    icon: FolderInput,
    permission: 'Remove',
    isForAll: true,
    isInBar: true,
    suits: isPlaced,
    run: ({ ask }) => ask('move'),
  },
  {
    id: 'copy',
    label: 'copy',
    icon: Copy,
    isInBar: true,
    suits: (document) => !document.isTrashed && !isRoot(document),
    run: ({ ask }) => ask('copy'),
  },
  {
    id: 'cut',
    label: 'action.cut',
    icon: Scissors,
    keys: 'Mod+X',
    permission: 'Remove',
    suits: isPlaced,
    run: ({ documents }) => fillClipboard('cut', documents),
  },
  {
    id: 'remember',
    label: 'action.remember',
    icon: CopyPlus,
    keys: 'Mod+C',
    suits: (document) => !document.isTrashed && !isRoot(document),
    run: ({ documents }) => fillClipboard('copy', documents),
  },
  {
    id: 'paste',
    label: 'action.paste',
    icon: ClipboardPaste,
    permission: 'AddChildren',
    isSingle: true,
    suits: (document) => isFolder(document) && isLive(document) && hasClipboard(),
    run: ({ first, run }) => run(() => paste(first)),
  },
  {
    id: 'follow',
    label: 'action.follow',
    icon: BellPlus,
    isSingle: true,
    suits: (document) => isLive(document) && isFollowed(document) === false,
    run: ({ documents, run }) =>
      run(() => withEach(documents, startFollowing, text('done.followed'), stopFollowing)),
  },
  {
    id: 'unfollow',
    label: 'action.unfollow',
    icon: BellOff,
    isSingle: true,
    suits: (document) => isLive(document) && isFollowed(document) === true,
    run: ({ documents, run }) =>
      run(() => withEach(documents, stopFollowing, text('done.unfollowed'), startFollowing)),
  },
  {
    id: 'lock',
    label: 'lock',
    icon: Lock,
    permission: 'WriteProperties',
    suits: (document) => isLive(document) && document.lockOwner === null && !isRoot(document),
    run: ({ documents, run }) => run(() => withEach(documents, lock, text('done.locked'), unlock)),
  },
  {
    id: 'unlock',
    label: 'unlock',
    icon: LockOpen,
    suits: (document) => isLive(document) && document.lockOwner !== null,
    reason: reasonAgainstUnlocking,
    run: ({ documents, run }) => run(() => withEach(documents, unlock, text('done.unlocked'))),
  },
  {
    id: 'csv',
    label: 'search.csv',
    icon: FileDown,
    isForAll: true,
    isInBar: true,
    suits: () => true,
    run: ({ target, run }) => run(async () => target.exportCsv?.()),
  },
  {
    id: 'trash',
    label: 'trash',
    icon: Trash2,
    keys: 'Delete',
    permission: 'Remove',
    isForAll: true,
    isInBar: true,
    suits: isPlaced,
    // The whole result includes documents that are not shown and would disappear unnoticed, so the user must confirm
    // their number.
    run: ({ subject, target, ask, run }) => (subject.all ? ask('trash') : run(target.trash)),
  },
  {
    id: 'restore',
    label: 'restore',
    icon: RotateCcw,
    permission: 'Remove',
    isForAll: true,
    isInBar: true,
    suits: ({ isTrashed }) => isTrashed,
    run: ({ target, run }) => run(target.restore),
  },
  {
    id: 'delete',
    label: 'delete',
    icon: Trash2,
    permission: 'Remove',
    isDangerous: true,
    isForAll: true,
    isInBar: true,
    suits: ({ isTrashed }) => isTrashed,
    run: ({ ask }) => ask('delete'),
  },
];

/** The place of the transitions of the life cycle in the list: before the actions that remove a document. */
const placeOfTransitions = actions.findIndex(({ id }) => id === 'trash');

/** The keys of all actions, for the list of keys. */
export const actionKeys: ReadonlyArray<{ readonly label: TextKey; readonly keys: string }> = actions.flatMap(
  ({ label, keys }) => (keys === undefined ? [] : [{ label, keys }]),
);

/** An action that is offered for documents, in a menu, a bar or the palette. */
export interface Offer {
  readonly id: string;
  readonly label: string;
  readonly icon: LucideIcon;
  readonly keys?: string | undefined;
  readonly isDangerous: boolean;
  readonly isInBar: boolean;
  /** Why the action is not possible; absent if it is possible. */
  readonly reason?: string | undefined;
  readonly run: () => void;
}

/**
 * Returns why an action is possible for none of the documents. It is offered if at least one of them allows it, and a
 * notification names the others afterwards.
 */
function reasonFor(action: Action, documents: readonly Actionable[], user: User): string | undefined {
  const { permission, reason } = action;
  const reasons = documents.map(
    (document) =>
      reason?.(document, user) ?? (permission && reasonAgainst(document, permission, user)) ?? undefined,
  );
  if (reasons.some((each) => each === undefined)) return undefined;
  const [first] = documents;
  return documents.length > 1 && first ? `${first.title}: ${reasons[0]}` : reasons[0];
}

/** The transitions of the life cycle, as actions. */
const transitionsOf = ({ uid, transitions }: Actionable): Action[] =>
  transitions
    .filter((name) => name !== 'delete' && name !== 'undelete')
    .map((transition) => ({
      id: `transition ${transition}`,
      label: `transition.${transition}` as TextKey,
      icon: Workflow,
      permission: 'WriteLifeCycle',
      isSingle: true,
      suits: isLive,
      run: ({ documents, run }) =>
        run(() =>
          withEach(documents, () => send(followTransition, { id: uid, transition }), text('done.state')),
        ),
    }));

/** The parameters of an action that depend on the documents for which it makes sense. */
function appliedTo(subject: Subject) {
  const { documents, all } = subject;
  return {
    subject,
    documents,
    first: documents[0] as Actionable,
    target: all ? onFound(all.found) : onRows(documents),
    ask: (which: ActionDialog) => opened.set({ kind: 'dialog', which, subject }),
  };
}

/** Returns the actions for documents: those that are possible, and those that are not, with the reason. */
function offersFor(subject: Subject, user: User, go: Use['go']): readonly Offer[] {
  const { documents, all, onDone } = subject;
  const [first] = documents;
  if (!first) return [];
  const use = {
    user,
    go,
    run: (work: () => Promise<unknown>) =>
      void attempt(async () => {
        await work();
        onDone?.();
      }),
  };
  const isSingle = documents.length === 1 && !all;
  const known = isSingle ? actions.toSpliced(placeOfTransitions, 0, ...transitionsOf(first)) : actions;
  return known.flatMap((action) => {
    if (all ? !action.isForAll : action.id === 'csv') return [];
    if (action.isSingle && !isSingle) return [];
    const suited = documents.filter(action.suits);
    if (suited.length === 0) return [];
    const label = action.id.startsWith('transition ')
      ? textOr(action.label, action.id.slice('transition '.length))
      : text(action.label);
    return [
      {
        id: action.id,
        label,
        icon: action.icon,
        keys: action.keys,
        isDangerous: action.isDangerous ?? false,
        isInBar: action.isInBar ?? false,
        reason: all ? undefined : reasonFor(action, suited, user),
        run: () => action.run({ ...use, ...appliedTo({ ...subject, documents: suited }) }),
      },
    ];
  });
}

/** Returns a function that lists the actions for documents. */
export function useOffers(): (subject: Subject) => readonly Offer[] {
  const { user } = useSession();
  const navigate = useNavigate();
  useClipboard();
  return (subject) => offersFor(subject, user, (address) => void navigate(address));
}

/** Runs an action, or notifies the user of the reason why it is not possible. */
export function runOffer({ reason, run }: Offer): void {
  if (reason === undefined) run();
  else notify({ kind: 'note', message: reason });
}
