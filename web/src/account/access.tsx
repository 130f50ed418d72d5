import { LogOut, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { SecretDialog } from '../admin/secret-dialog.tsx';
import { AdminTable } from '../admin/table.tsx';
import { useSession } from '../app/session.ts';
import { change } from '../graphql/change.ts';
import { refresh, send } from '../graphql/client.ts';
import {
  createAppPassword,
  deleteToken,
  endSession,
  type OwnAccessQuery,
  revokeGrant,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';

export function Sessions({ entries }: OwnAccessQuery['sessions']) {
  const { signOut } = useSession();
  const end = ({ id, isCurrent }: (typeof entries)[number]) =>
    isCurrent ? signOut() : change(() => send(endSession, { id }), text('done.sessionEnded'));
  return (
    <section className="card">
      <h2>{text('account.sessions')}</h2>
      <AdminTable
        label={text('account.sessions')}
        entries={entries}
        keyOf={({ id }) => id}
        empty={text('account.noSessions')}
        columns={[
          {
            label: text('account.browser'),
            value: ({ browser, isCurrent }) =>
              `${browser || text('account.unknown')}${isCurrent ? ` (${text('account.thisSession')})` : ''}`,
          },
          { label: text('account.address'), value: ({ address }) => address },
          { label: text('account.signedIn'), value: ({ creationDate }) => <Time at={creationDate} /> },
          { label: text('account.lastUsed'), value: ({ lastUsed }) => <Time at={lastUsed} /> },
        ]}
        actions={(session) => (
          <IconButton
            label={`${text('account.endSession')}: ${session.browser}`}
            icon={LogOut}
            onPress={() => end(session)}
          />
        )}
      />
    </section>
  );
}

interface NewAppPasswordProps {
  readonly names: readonly string[];
  readonly onMade: (password: string) => void;
  readonly onClose: () => void;
}

function NewAppPassword({ names, onMade, onClose }: NewAppPasswordProps) {
  const [name, setName] = useState('');
  const create = async () => {
    // If the name is already used, the server would return the existing password.
    if (names.includes(name.trim())) throw new Error(text('account.nameTaken'));
    const { createToken } = await send(createAppPassword, { name: name.trim() });
    onMade(createToken);
    await refresh();
  };
  return (
    <FormDialog
      title={text('account.newAppPassword')}
      submit={text('create')}
      onSubmit={create}
      onClose={onClose}
      isDisabled={name.trim() === ''}
    >
      <TextField
        label={text('account.appName')}
        hint={text('account.appNameHint')}
        value={name}
        onChange={setName}
        isRequired
      />
    </FormDialog>
  );
}

export function AppPasswords({ entries }: OwnAccessQuery['tokens']) {
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState('');
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('account.appPasswords')}</h2>
        <Button icon={Plus} onPress={() => setCreating(true)}>
          {text('account.newAppPassword')}
        </Button>
      </div>
      <p className="hint">{text('account.appPasswordsHint')}</p>
      <AdminTable
        label={text('account.appPasswords')}
        entries={entries}
        keyOf={({ id }) => id}
        empty={text('account.noAppPasswords')}
        columns={[
          { label: text('account.appName'), value: ({ application }) => application },
          { label: text('account.device'), value: ({ deviceDescription }) => deviceDescription },
          { label: text('account.created'), value: ({ creationDate }) => <Time at={creationDate} /> },
          { label: text('account.lastUsed'), value: ({ lastUsed }) => <Time at={lastUsed} /> },
        ]}
        actions={({ id, application }) => (
          <IconButton
            label={`${text('account.revoke')}: ${application}`}
            icon={Trash2}
            onPress={() => change(() => send(deleteToken, { id }), text('done.revoked'))}
          />
        )}
      />
      {isCreating && (
        <NewAppPassword
          names={entries.map(({ application }) => application)}
          onMade={setMade}
          onClose={() => setCreating(false)}
        />
      )}
      {made && <SecretDialog title={text('account.appPassword')} value={made} onClose={() => setMade('')} />}
    </section>
  );
}

export function Applications({ entries }: OwnAccessQuery['grants']) {
  const { user } = useSession();
  if (entries.length === 0) return null;
  return (
    <section className="card">
      <h2>{text('account.applications')}</h2>
      <AdminTable
        label={text('account.applications')}
        entries={entries}
        keyOf={({ id }) => id}
        empty=""
        columns={[
          { label: text('account.appName'), value: ({ client, clientId }) => client.name || clientId },
          { label: text('account.created'), value: ({ creationDate }) => <Time at={creationDate} /> },
          { label: text('account.lastUsed'), value: ({ lastUsed }) => <Time at={lastUsed} /> },
        ]}
        actions={({ clientId }) => (
          <IconButton
            label={`${text('account.revoke')}: ${clientId}`}
            icon={Trash2}
            onPress={() =>
              change(() => send(revokeGrant, { username: user.id, clientId }), text('done.revoked'))
            }
          />
        )}
      />
    </section>
  );
}
