import { FolderUp, Info, Plus, Shield, Trash2, Upload } from 'lucide-react';
import { useState } from 'react';
import { FileTrigger, ToggleButton } from 'react-aria-components';
import { useNavigate } from 'react-router';
import type { FolderQuery } from '../graphql/operations.ts';
import { documentAddress } from '../listing/address.ts';
import { Path } from '../listing/path.tsx';
import { Button, IconButton } from '../parts/button.tsx';
import { text } from '../texts/text.ts';
import { chosenFiles } from '../uploads/dropped.ts';
import { uploadFiles } from '../uploads/uploads.ts';
import { NewDocument } from './new-document.tsx';

interface FolderHeadProps {
  readonly document: FolderQuery['document'];
  readonly isTrash: boolean;
  readonly onTrash: (isTrash: boolean) => void;
}

export function FolderHead({ document, isTrash, onTrash }: FolderHeadProps) {
  const navigate = useNavigate();
  const [isCreating, setCreating] = useState(false);
  const { title, path, uid, contextParameters } = document;
  const { breadcrumb, permissions, subtypes } = contextParameters;
  const mayAdd = permissions.includes('AddChildren');
  const upload = (files: FileList | null) => files && void uploadFiles(document, chosenFiles(files));
  return (
    <header className="screen-head">
      <div className="screen-title">
        <Path steps={breadcrumb.entries} />
        <h1>{title || text('browse.root')}</h1>
      </div>
      <div className="actions">
        {mayAdd && (
          <>
            <FileTrigger allowsMultiple onSelect={upload}>
              <Button icon={Upload}>{text('upload.choose')}</Button>
            </FileTrigger>
            <FileTrigger acceptDirectory onSelect={upload}>
              <IconButton label={text('upload.chooseFolder')} icon={FolderUp} />
            </FileTrigger>
          </>
        )}
        <ToggleButton
          className="icon-button"
          isSelected={isTrash}
          onChange={onTrash}
          aria-label={text('browse.showTrash')}
        >
          <Trash2 size={18} aria-hidden />
        </ToggleButton>
        <IconButton
          label={text('tab.permissions')}
          icon={Shield}
          onPress={() => void navigate(documentAddress(uid, 'permissions'))}
        />
        <IconButton
          label={text('browse.about')}
          icon={Info}
          onPress={() => void navigate(documentAddress(uid))}
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
