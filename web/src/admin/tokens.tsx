import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { change } from '../graphql/change.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import { applications, createToken, deleteToken, tokens } from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';

import { SecretDialog } from './secret-dialog.tsx';
import { AdminTable } from './table.tsx';

interface NewTokenProps {
  readonly onToken: (token: string) => void;
  readonly onClose: () => void;
}

function NewToken({ onToken, onClose }: NewTokenProps) {
  const [application, setApplication] = useState('');
  const [device, setDevice] = useState('');
  const create = async () => {
    const { createToken: token } = await send(createToken, { application, device });
    onToken(token);
    await refresh();
  };
  return (
    <FormDialog
      title={text('tokens.new')}
      submit={text('create')}
      onSubmit={create}
      onClose={onClose}
      isDisabled={application === '' || device === ''}
    >
      <TextField
        label={text('tokens.application')}
        value={application}
        onChange={setApplication}
        isRequired
      />
      <TextField label={text('tokens.device')} value={device} onChange={setDevice} isRequired />
    </FormDialog>
  );
}

function OwnTokens() {
  const { data, error } = useAnswer(tokens, {});
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState('');
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  const remove = (id: string) => change(() => send(deleteToken, { id }), text('done.deleted'));
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('tokens.own')}</h2>
        <Button icon={Plus} onPress={() => setCreating(true)}>
          {text('tokens.new')}
        </Button>
      </div>
      <AdminTable
        label={text('tokens.own')}
        entries={data.tokens.entries}
        keyOf={({ id }) => id}
        empty={text('tokens.none')}
        columns={[
          { label: text('tokens.application'), value: ({ application }) => application },
          { label: text('tokens.device'), value: ({ deviceDescription }) => deviceDescription },
          { label: text('tokens.permission'), value: ({ permission }) => permission },
          { label: text('tokens.since'), value: ({ creationDate }) => <Time at={creationDate} /> },
        ]}
        actions={({ id, application }) => (
          <IconButton
            label={`${text('tokens.revoke')}: ${application}`}
            icon={Trash2}
            onPress={() => remove(id)}
          />
        )}
      />
      {isCreating && <NewToken onToken={setMade} onClose={() => setCreating(false)} />}
      {made && <SecretDialog title={text('tokens.one')} value={made} onClose={() => setMade('')} />}
    </section>
  );
}

/** The user’s own tokens, the registered applications, and the authorizations that users have granted to them. */
export function Tokens() {
  const { data, error } = useAnswer(applications, {});
  return (
    <div className="stack">
      <OwnTokens />
      {error && <Failure error={error} />}
      {data && (
        <>
          <section className="card">
            <h2>{text('tokens.applications')}</h2>
            <AdminTable
              label={text('tokens.applications')}
              entries={data.clients.entries}
              keyOf={({ id }) => id}
              empty={text('tokens.noApplications')}
              columns={[
                { label: text('groups.name'), value: ({ name }) => name },
                { label: text('tokens.clientId'), value: ({ clientId }) => clientId },
                { label: text('tokens.redirects'), value: ({ redirectURIs }) => redirectURIs.join(', ') },
                {
                  label: text('webhooks.state'),
                  value: ({ enabled }) => text(enabled ? 'webhooks.on' : 'webhooks.off'),
                },
              ]}
            />
          </section>
          <section className="card">
            <h2>{text('tokens.grants')}</h2>
            <AdminTable
              label={text('tokens.grants')}
              entries={data.allGrants.entries}
              keyOf={({ id }) => id}
              empty={text('tokens.noGrants')}
              columns={[
                { label: text('users.username'), value: ({ username }) => username },
                { label: text('tokens.clientId'), value: ({ clientId }) => clientId },
                { label: text('tokens.since'), value: ({ creationDate }) => <Time at={creationDate} /> },
              ]}
            />
          </section>
        </>
      )}
    </div>
  );
}
