import {
  FolderOpen,
  FolderUp,
  Info,
  MoreHorizontal,
  Plus,
  Search,
  Shield,
  Trash2,
  Upload,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { Button as AriaButton, FileTrigger } from 'react-aria-components';
import { useNavigate } from 'react-router';
import { menuEntries } from '../actions/action-layer.tsx';
import { useOffers } from '../actions/actions.ts';
import type { FolderQuery } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Path } from '../listing/path.tsx';
import { Button } from '../parts/button.tsx';
import { Menu } from '../parts/menu.tsx';
import { text } from '../texts/text.ts';
import { chosenFiles } from '../uploads/dropped.ts';
import { uploadFiles } from '../uploads/uploads.ts';
import { NewDocument } from './new-document.tsx';
import { mayUpload } from './uploading.ts';

/** The actions of the folder itself that its menu offers. The others are in its row in the parent folder. */
const folderActions = ['paste', 'share', 'rename', 'link', 'follow', 'unfollow'];

interface FolderHeadProps {
  readonly document: FolderQuery['document'];
  readonly isTrash: boolean;
  readonly onTrash: (isTrash: boolean) => void;
}

export function FolderHead({ document, isTrash, onTrash }: FolderHeadProps) {
  const navigate = useNavigate();
  const offersOf = useOffers();
  const [isCreating, setCreating] = useState(false);
  const { title, path, uid, contextParameters } = document;
  const { breadcrumb, permissions, subtypes } = contextParameters;
  const mayAdd = permissions.includes('AddChildren');
  const maySend = mayUpload(contextParameters);
  const folderInput = useRef<HTMLInputElement>(null);
  const upload = (files: FileList | null) => files && void uploadFiles(document, chosenFiles(files));
  return (
    <header className="screen-head">
      <div className="screen-title">
        <Path steps={breadcrumb.entries} />
        <h1 data-title-of={uid}>{title || text('browse.root')}</h1>
      </div>
      <div className="actions">
        {maySend && (
          <>
            <FileTrigger allowsMultiple onSelect={upload}>
              <Button icon={Upload}>{text('upload.choose')}</Button>
            </FileTrigger>
            <input
              ref={folderInput}
              type="file"
              {...{ webkitdirectory: '' }}
              hidden
              onChange={({ currentTarget }) => {
                upload(currentTarget.files);
                currentTarget.value = ''; // Otherwise, choosing the same folder again would not be a change.
              }}
            />
          </>
        )}
        <Menu
          label={text('browse.more')}
          trigger={
            <AriaButton className="icon-button" aria-label={text('browse.more')}>
              <MoreHorizontal size={18} aria-hidden />
            </AriaButton>
          }
          entries={[
            ...menuEntries(
              offersOf({ documents: [document] }).filter(({ id }) => folderActions.includes(id)),
            ),
            ...(maySend
              ? [
                  {
                    id: 'folder',
                    label: text('upload.chooseFolder'),
                    icon: FolderUp,
                    onAction: () => folderInput.current?.click(),
                  },
                ]
              : []),
            {
              id: 'search',
              label: text('search.inFolder'),
              icon: Search,
              onAction: () => void navigate(`/search?ecm_path=${encodeURIComponent(path)}`),
            },
            {
              id: 'about',
              label: text('browse.about'),
              icon: Info,
              onAction: () => void navigate(documentAddress(uid)),
            },
            {
              id: 'permissions',
              label: text('tab.permissions'),
              icon: Shield,
              onAction: () => void navigate(documentAddress(uid, 'permissions')),
            },
            {
              id: 'trash',
              label: text(isTrash ? 'browse.hideTrash' : 'browse.showTrash'),
              icon: isTrash ? FolderOpen : Trash2,
              onAction: () => onTrash(!isTrash),
            },
          ]}
        />
        {mayAdd && subtypes.length > 0 && (
          <Button kind="main" icon={Plus} onPress={() => setCreating(true)}>
            {text('browse.new')}
          </Button>
        )}
      </div>
      {isCreating && <NewDocument parent={path} types={subtypes} onClose={() => setCreating(false)} />}
    </header>
  );
}
