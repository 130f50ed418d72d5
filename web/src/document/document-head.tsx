import { Download, FolderOpen, Lock, MoreHorizontal, Pencil, Star } from 'lucide-react';
import { Button as AriaButton, ToggleButton } from 'react-aria-components';
import { menuEntries } from '../actions/action-layer.tsx';
import { runOffer, useOffers } from '../actions/actions.ts';
import { ownAddress } from '../form/shown-value.tsx';
import { change } from '../graphql/change.ts';
import { send } from '../graphql/client.ts';
import { addFavorite, removeFavorite } from '../graphql/operations.ts';
import { browseAddress, documentAddress } from '../listing/address.ts';
import { DocumentIcon } from '../listing/icon.tsx';
import { Neighbours } from '../listing/neighbours.tsx';
import { Path } from '../listing/path.tsx';
import { ActionButton, ButtonLink } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { text, textOr } from '../texts/text.ts';
import { useNames } from '../values/names.ts';
import { LockedBy } from '../values/person.tsx';
import { mayEdit, type PartProps, valueAt } from './document.ts';

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

/** The button that downloads the document's file; renders nothing if there is no file. */
function DownloadFile({ document }: PartProps) {
  const file = valueAt(document, 'file:content') as { name?: string; data?: string } | null | undefined;
  if (!file?.data) return null;
  return (
    <a className="button" href={ownAddress(file.data)} download={file.name ?? document.title}>
      <Download size={16} aria-hidden /> {text('download')}
    </a>
  );
}

/** The actions that are links or buttons in the header, and therefore not in its menu. */
const headActions = ['open', 'peek', 'edit', 'download', 'share', 'restore'];

/** Shows the title and state of a document, and the actions that are available to the user. */
export function DocumentHead({ document }: PartProps) {
  const { uid, title, type, state, versionLabel, lockOwner, path, facets, contextParameters } = document;
  useNames(lockOwner ? [lockOwner] : []); // The reasons against actions contain the name.
  const offersOf = useOffers();
  const offers = offersOf({ documents: [document] });
  const [share, restore] = ['share', 'restore'].map((name) => offers.find(({ id }) => id === name));
  const others = offers.filter(({ id }) => !headActions.includes(id));
  return (
    <header className="screen-head document-head">
      <div className="screen-title">
        <Path steps={contextParameters.breadcrumb.entries} />
        <h1>
          <DocumentIcon {...document} /> <span data-title-of={uid}>{title || text('browse.root')}</span>
        </h1>
        <p className="badges">
          <span className="badge">{textOr(`type.${type}`, type)}</span>
          <span className={`badge state-${state}`}>{textOr(`state.${state}`, state)}</span>
          {versionLabel && <span className="badge">{text('document.version', { label: versionLabel })}</span>}
          {lockOwner && (
            <span className="badge lock">
              <Lock size={12} aria-hidden /> <LockedBy id={lockOwner} />
            </span>
          )}
        </p>
      </div>
      <div className="actions">
        <Neighbours uid={uid} />
        {!document.isVersion && !document.isProxy && <Favorite document={document} />}
        {facets.includes('Folderish') && !document.isTrashed && (
          <ButtonLink to={browseAddress(path)} icon={FolderOpen}>
            {text('document.open')}
          </ButtonLink>
        )}
        <DownloadFile document={document} />
        {share && (
          <ActionButton icon={share.icon} reason={share.reason} onPress={() => runOffer(share)}>
            {share.label}
          </ActionButton>
        )}
        {restore && (
          <ActionButton
            icon={restore.icon}
            reason={restore.reason}
            kind="main"
            onPress={() => runOffer(restore)}
          >
            {restore.label}
          </ActionButton>
        )}
        {mayEdit(document) && (
          <ButtonLink to={documentAddress(uid, 'edit')} icon={Pencil} kind="main">
            {text('tab.edit')}
          </ButtonLink>
        )}
        {others.length > 0 && (
          <Menu
            label={text('document.actions')}
            trigger={
              <AriaButton className="icon-button" aria-label={text('document.actions')}>
                <MoreHorizontal size={18} aria-hidden />
              </AriaButton>
            }
            entries={menuEntries(others)}
          />
        )}
      </div>
    </header>
  );
}
