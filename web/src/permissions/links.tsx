import { Link as LinkIcon, UserPlus, X } from 'lucide-react';
import { useState } from 'react';
import type { PartProps } from '../document/document.ts';
import { timeOf } from '../form/typed-fields.tsx';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { createShareLink, deleteShareLink, shareLinks } from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { CopyButton } from '../parts/copy-button.tsx';
import { Dialog, FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { countText, Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { InviteGuest } from './invite-guest.tsx';
import { modeText } from './names.ts';
import { ShareFields } from './share-fields.tsx';

interface CreateProps {
  readonly uid: string;
  readonly modes: readonly string[];
  readonly onCreated: (url: string) => void;
  readonly onClose: () => void;
}

function Create({ uid, modes, onCreated, onClose }: CreateProps) {
  const [mode, setMode] = useState(modes[0] ?? 'read');
  const [end, setEnd] = useState('');
  const [password, setPassword] = useState('');
  const create = async () => {
    const link = { mode, end: timeOf(end), password: password || null };
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
      <ShareFields
        label={text('links.mode')}
        modes={modes}
        mode={mode}
        onMode={setMode}
        end={end}
        onEnd={setEnd}
      />
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

/** Lists the sharing links of a document, with which people can open the document without an account. */
export function Links({ document }: PartProps) {
  const { uid, facets } = document;
  const { data, error } = useAnswer(shareLinks, { id: uid });
  const [isCreating, setCreating] = useState(false);
  const [isInviting, setInviting] = useState(false);
  const [url, setUrl] = useState('');
  const [deleting, setDeleting] = useState<{ readonly id: string; readonly createdBy: string }>();
  const links = data?.document.shareLinks.entries ?? [];
  const modes = facets.includes('Folderish') ? ['read', 'comment', 'upload'] : ['read', 'comment'];
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('links.title')}</h2>
        <div className="actions">
          <Button icon={UserPlus} onPress={() => setInviting(true)}>
            {text('guests.invite')}
          </Button>
          <Button icon={LinkIcon} onPress={() => setCreating(true)}>
            {text('links.create')}
          </Button>
        </div>
      </div>
      {error && <Failure error={error} />}
      {!data && !error && <Loading />}
      {data && links.length === 0 && <p className="hint">{text('links.none')}</p>}
      {links.length > 0 && (
        <div className="scrolled">
          <table className="plain-table">
            <thead>
              <tr>
                <th scope="col">{text('links.mode')}</th>
                <th scope="col">{text('links.end')}</th>
                <th scope="col">{text('links.opened')}</th>
                <th scope="col">{text('links.by')}</th>
                <th scope="col">
                  <span className="visually-hidden">{text('links.delete')}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {links.map(({ id, mode, end, hasPassword, opened, createdBy }) => (
                <tr key={id}>
                  <th scope="row">
                    {modeText(mode)} {hasPassword && <span className="badge">{text('links.protected')}</span>}
                  </th>
                  <td data-label={text('links.end')}>
                    <Time at={end} />
                  </td>
                  <td data-label={text('links.opened')}>{countText(opened)}</td>
                  <td data-label={text('links.by')}>{createdBy}</td>
                  <td>
                    <IconButton
                      label={`${text('links.delete')}: ${modeText(mode)}, ${createdBy}`}
                      icon={X}
                      onPress={() => setDeleting({ id, createdBy })}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {isCreating && <Create uid={uid} modes={modes} onCreated={setUrl} onClose={() => setCreating(false)} />}
      {isInviting && <InviteGuest uid={uid} modes={modes} onClose={() => setInviting(false)} />}
      {deleting && (
        <Confirm
          title={text('links.delete')}
          question={text('links.deleteQuestion', { who: deleting.createdBy })}
          submit={text('links.delete')}
          done={text('done.permissions')}
          onConfirm={() => send(deleteShareLink, { id: deleting.id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
      {url !== '' && (
        <Dialog title={text('links.create')} onClose={() => setUrl('')}>
          <p>{text('links.address')}</p>
          <pre className="code">{url}</pre>
          <footer className="dialog-foot">
            <CopyButton value={url} label={text('links.copy')} />
            <Button kind="main" onPress={() => setUrl('')}>
              {text('close')}
            </Button>
          </footer>
        </Dialog>
      )}
    </section>
  );
}
