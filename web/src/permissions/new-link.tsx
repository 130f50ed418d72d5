import { useRef, useState } from 'react';
import { refresh, send } from '../graphql/client.ts';
import { createShareLink } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog, FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { text } from '../texts/text.ts';
import { modesFor } from './names.ts';
import { ShareFields, useShare } from './share-fields.tsx';

interface CreateProps {
  readonly uid: string;
  readonly modes: readonly string[];
  readonly onCreated: (url: string) => void;
  readonly onClose: () => void;
}

function Create({ uid, modes, onCreated, onClose }: CreateProps) {
  const { fields, right: mode, end } = useShare('link', modes);
  const [password, setPassword] = useState('');
  const create = async () => {
    const link = { mode, end, password: password || null };
    const { createShareLink: made } = await send(createShareLink, { id: uid, link });
    await refresh();
    onCreated(made.url ?? '');
  };
  return (
    <FormDialog
      title={text('links.create')}
      submit={text('links.create')}
      onSubmit={create}
      onClose={onClose}
    >
      <p>{text('links.hint')}</p>
      <ShareFields {...fields} />
      <TextField
        label={text('links.password')}
        hint={text('links.passwordHint')}
        value={password}
        onChange={setPassword}
        autoComplete="off"
      />
    </FormDialog>
  );
}

interface NewLinkProps {
  readonly uid: string;
  readonly facets: readonly string[];
  readonly onClose: () => void;
}

/** Creates a link to a document, and then shows it, because it cannot be shown again. */
export function NewLink({ uid, facets, onClose }: NewLinkProps) {
  const [url, setUrl] = useState<string>();
  const isCreated = useRef(false);
  const show = (made: string) => {
    isCreated.current = true;
    setUrl(made);
  };
  // The form also closes itself after it has created the link, which has to be shown then.
  const close = () => {
    if (!isCreated.current) onClose();
  };
  if (url === undefined)
    return <Create uid={uid} modes={modesFor(facets)} onCreated={show} onClose={close} />;
  return (
    <Dialog title={text('links.create')} onClose={onClose}>
      <p>{text('links.address')}</p>
      <pre className="code">{url}</pre>
      <footer className="dialog-foot">
        <CopyButton value={url} label={text('links.copy')} />
        <Button kind="main" onPress={onClose}>
          {text('close')}
        </Button>
      </footer>
    </Dialog>
  );
}
