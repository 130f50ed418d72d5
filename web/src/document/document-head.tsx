import { FolderOpen, Lock, LockOpen, MoreHorizontal, RotateCcw, Star, Trash2, Workflow } from 'lucide-react';
import { Button as AriaButton, ToggleButton } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { useSession } from '../app/session.ts';
import { change } from '../graphql/change.ts';
import { refresh, send } from '../graphql/client.ts';
import {
  addFavorite,
  followTransition,
  lockDocument,
  removeFavorite,
  trashDocument,
  unlockDocument,
  untrashDocument,
} from '../graphql/operations.ts';
import { browseAddress, documentAddress } from '../listing/address.ts';
import { DocumentIcon } from '../listing/icon.tsx';
import { Path } from '../listing/path.tsx';
import { Menu, type MenuEntry } from '../parts/menu.tsx';
import { attempt } from '../parts/notices.tsx';
import { text, textOr } from '../texts/text.ts';
import { may, type PartProps, type Shown } from './document.ts';

/** The entries of the action menu: the actions that the state of the document and the user's permissions allow. */
function useActions(document: Shown): MenuEntry[] {
  const navigate = useNavigate();
  const { user } = useSession();
  const { uid, lockOwner, isTrashed, isVersion, isProxy, facets, transitions, parentRef } = document;
  const isLive = !isVersion && !isProxy && !isTrashed;
  const mayUnlock = lockOwner === user.id || user.isAdministrator || may(document, 'Unlock');
  const lock = lockOwner
    ? mayUnlock && {
        id: 'unlock',
        label: text('unlock'),
        icon: LockOpen,
        onAction: () => change(() => send(unlockDocument, { id: uid }), text('done.unlocked')),
      }
    : may(document, 'WriteProperties') && {
        id: 'lock',
        label: text('lock'),
        icon: Lock,
        onAction: () => change(() => send(lockDocument, { id: uid }), text('done.locked')),
      };
  const states = transitions
    .filter((name) => name !== 'delete' && name !== 'undelete')
    .map((transition) => ({
      id: transition,
      label: textOr(`transition.${transition}`, transition),
      icon: Workflow,
      onAction: () => change(() => send(followTransition, { id: uid, transition }), text('done.state')),
    }));
  const trash = isTrashed
    ? {
        id: 'restore',
        label: text('restore'),
        icon: RotateCcw,
        onAction: () => change(() => send(untrashDocument, { id: uid }), text('done.restored')),
      }
    : {
        id: 'trash',
        label: text('trash'),
        icon: Trash2,
        isDangerous: true,
        onAction: () =>
          void attempt(async () => {
            await send(trashDocument, { id: uid });
            await refresh();
            if (parentRef) void navigate(documentAddress(uid));
          }, text('done.trashed')),
      };
  return [
    facets.includes('Folderish') && {
      id: 'open',
      label: text('document.open'),
      icon: FolderOpen,
      onAction: () => void navigate(browseAddress(document.path)),
    },
    isLive && lock,
    ...(isLive && may(document, 'WriteLifeCycle') ? states : []),
    !isVersion && may(document, 'Remove') && trash,
  ].filter((entry) => entry !== false);
}

function Favorite({ document: { uid, contextParameters } }: PartProps) {
  const { favorites } = contextParameters;
  return (
    <ToggleButton
      className="icon-button"
      isSelected={favorites}
      aria-label={text('document.favorite')}
      onChange={(isSelected) =>
        change(
          () => (isSelected ? send(addFavorite, { id: uid }) : send(removeFavorite, { id: uid })),
          text(isSelected ? 'done.favorite' : 'done.noFavorite'),
        )
      }
    >
      <Star size={18} aria-hidden fill={favorites ? 'currentColor' : 'none'} />
    </ToggleButton>
  );
}

export function DocumentHead({ document }: PartProps) {
  const { title, type, state, versionLabel, lockOwner, contextParameters } = document;
  const entries = useActions(document);
  return (
    <header className="screen-head">
      <div className="screen-title">
        <Path steps={contextParameters.breadcrumb.entries} />
        <h1>
          <DocumentIcon {...document} /> {title || text('browse.root')}
        </h1>
        <p className="badges">
          <span className="badge">{textOr(`type.${type}`, type)}</span>
          <span className={`badge state-${state}`}>{textOr(`state.${state}`, state)}</span>
          {versionLabel && <span className="badge">{text('document.version', { label: versionLabel })}</span>}
          {lockOwner && (
            <span className="badge lock">
              <Lock size={12} aria-hidden /> {text('document.lockedBy', { user: lockOwner })}
            </span>
          )}
        </p>
      </div>
      <div className="actions">
        {!document.isVersion && !document.isProxy && <Favorite document={document} />}
        {entries.length > 0 && (
          <Menu
            label={text('document.actions')}
            trigger={
              <AriaButton className="icon-button" aria-label={text('document.actions')}>
                <MoreHorizontal size={18} aria-hidden />
              </AriaButton>
            }
            entries={entries}
          />
        )}
      </div>
    </header>
  );
}
