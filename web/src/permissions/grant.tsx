import { Link as LinkIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ReferenceField } from '../form/reference-field.tsx';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { acls, shareDocument } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Chips } from '../parts/chips.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { notify } from '../parts/notices.tsx';
import { text } from '../texts/text.ts';
import { loadNames, useNames } from '../values/names.ts';
import { NewLink } from './new-link.tsx';
import { ShareFields, useShare } from './share-fields.tsx';

interface GrantProps {
  readonly uid: string;
  readonly offered: readonly string[];
  readonly onLink: () => void;
  readonly onClose: () => void;
}

/** A dialog that grants users and groups a permission on a document, and tells them by email. */
function Grant({ uid, offered, onLink, onClose }: GrantProps) {
  const [people, setPeople] = useState<readonly string[]>([]);
  const nameOf = useNames(people);
  const [picked, setPicked] = useState('');
  const { fields, right: permission, ...share } = useShare('people', offered);
  // The field closes its list once it shows the choice, and is empty again for the next one.
  useEffect(() => {
    if (picked === '') return;
    setPeople((before) => [...before.filter((each) => each !== picked), picked]);
    setPicked('');
  }, [picked]);
  const grant = async () => {
    await send(shareDocument, { id: uid, users: [...people], permission, ...share });
    await refresh();
    const names = await loadNames(people);
    notify({ kind: 'done', message: text('done.shared', { who: names.join(', ') }) });
  };
  return (
    <FormDialog
      title={text('permissions.grant')}
      submit={text('permissions.grant')}
      onSubmit={grant}
      onClose={onClose}
      isDisabled={people.length === 0}
    >
      <ReferenceField
        label={text('permissions.who')}
        hint={text('permissions.whoHint')}
        reference={{ to: 'principal' }}
        value={picked}
        onChange={setPicked}
      />
      <Chips
        label={text('permissions.with')}
        names={people}
        nameOf={nameOf}
        onRemove={(removed) => setPeople(people.filter((each) => !removed.includes(each)))}
      />
      <ShareFields {...fields} />
      <div>
        <Button kind="quiet" icon={LinkIcon} onPress={onLink}>
          {text('links.instead')}
        </Button>
      </div>
    </FormDialog>
  );
}

/**
 * A dialog for sharing a document from anywhere in the console, with people or by a link. It first loads the permissions
 * that can be granted.
 */
export function ShareDialog({ uid, onClose }: Pick<GrantProps, 'uid' | 'onClose'>) {
  const { data } = useAnswer(acls, { id: uid });
  const [isLink, setLink] = useState(false);
  if (!data) return null;
  const { contextParameters, facets } = data.document;
  if (isLink) return <NewLink uid={uid} facets={facets} onClose={onClose} />;
  return (
    <Grant
      uid={uid}
      offered={contextParameters.userVisiblePermissions}
      onLink={() => setLink(true)}
      onClose={onClose}
    />
  );
}
