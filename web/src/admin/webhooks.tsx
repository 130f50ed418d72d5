import { List, Pencil, Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { differing } from '../form/values.ts';
import { refresh, send, useAnswer } from '../graphql/client.ts';
import {
  createWebhook,
  deleteWebhook,
  updateWebhook,
  type WebhooksQuery,
  webhooks,
} from '../graphql/operations.ts';
import { Button, IconButton } from '../parts/button.tsx';
import { Confirm, deletion } from '../parts/confirm.tsx';
import { FormDialog } from '../parts/dialog.tsx';
import { Checkbox, TextField } from '../parts/fields.tsx';
import { Failure, Loading } from '../parts/states.tsx';
import { Time } from '../parts/time.tsx';
import { text } from '../texts/text.ts';
import { SecretDialog } from './secret-dialog.tsx';
import { AdminTable } from './table.tsx';
import { WebhookDeliveries } from './webhook-deliveries.tsx';

type Webhook = WebhooksQuery['webhooks']['entries'][number];

const namesIn = (input: string): string[] => input.split(/[\s,]+/).filter(Boolean);

interface WebhookFormProps {
  /** The webhook to edit; absent if a new webhook is being created. */
  readonly webhook?: Webhook;
  readonly onSecret: (secret: string) => void;
  readonly onClose: () => void;
}

function WebhookForm({ webhook, onSecret, onClose }: WebhookFormProps) {
  const [url, setUrl] = useState(webhook?.url ?? '');
  const [events, setEvents] = useState(webhook?.events.join(', ') ?? '');
  const [types, setTypes] = useState(webhook?.types.join(', ') ?? '');
  const [path, setPath] = useState(webhook?.path ?? '');
  const [enabled, setEnabled] = useState(webhook?.enabled ?? true);
  const save = async () => {
    const input = { url, events: namesIn(events), types: namesIn(types), path: path || null, enabled };
    // Only changed fields are sent, because the server may have disabled the webhook in the meantime.
    if (webhook) await send(updateWebhook, { id: webhook.id, webhook: differing(input, { ...webhook }) });
    else {
      const { createWebhook: made } = await send(createWebhook, { webhook: input });
      if (made.secret) onSecret(made.secret);
    }
    await refresh();
  };
  return (
    <FormDialog
      title={text(webhook ? 'edit' : 'webhooks.new')}
      submit={text('save')}
      onSubmit={save}
      onClose={onClose}
      isDisabled={url === ''}
    >
      <TextField label={text('webhooks.url')} type="url" value={url} onChange={setUrl} isRequired />
      <TextField
        label={text('webhooks.events')}
        hint={text('webhooks.any')}
        value={events}
        onChange={setEvents}
      />
      <TextField
        label={text('webhooks.types')}
        hint={text('webhooks.any')}
        value={types}
        onChange={setTypes}
      />
      <TextField label={text('webhooks.path')} value={path} onChange={setPath} />
      <Checkbox label={text('webhooks.enabled')} isSelected={enabled} onChange={setEnabled} />
    </FormDialog>
  );
}

export function Webhooks() {
  const { data, error } = useAnswer(webhooks, {});
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const [deleted, setDeleted] = useState<Webhook>();
  const [shown, setShown] = useState<Webhook>();
  const [secret, setSecret] = useState('');
  if (error) return <Failure error={error} />;
  if (!data) return <Loading />;
  return (
    <section className="card">
      <div className="card-head">
        <h2>{text('admin.webhooks')}</h2>
        <Button kind="main" icon={Plus} onPress={() => setEdited('new')}>
          {text('webhooks.new')}
        </Button>
      </div>
      <AdminTable
        label={text('admin.webhooks')}
        entries={data.webhooks.entries}
        keyOf={({ id }) => id}
        empty={text('webhooks.none')}
        columns={[
          { label: text('webhooks.url'), value: ({ url }) => <span className="long-text">{url}</span> },
          { label: text('webhooks.path'), value: ({ path }) => <span className="long-text">{path}</span> },
          { label: text('webhooks.events'), value: ({ events }) => events.join(', ') },
          { label: text('webhooks.types'), value: ({ types }) => types.join(', ') },
          {
            label: text('webhooks.state'),
            value: ({ enabled, error: fault }) =>
              fault ? <span className="bad">{fault}</span> : text(enabled ? 'webhooks.on' : 'webhooks.off'),
          },
          { label: text('webhooks.since'), value: ({ createdAt }) => <Time at={createdAt} /> },
        ]}
        actions={(webhook) => (
          <>
            <IconButton
              label={`${text('webhooks.deliveries')}: ${webhook.url}`}
              icon={List}
              onPress={() => setShown(webhook)}
            />
            <IconButton
              label={`${text('edit')}: ${webhook.url}`}
              icon={Pencil}
              onPress={() => setEdited(webhook)}
            />
            <IconButton
              label={`${text('delete')}: ${webhook.url}`}
              icon={Trash2}
              onPress={() => setDeleted(webhook)}
            />
          </>
        )}
      />
      {edited && (
        <WebhookForm
          {...(edited !== 'new' && { webhook: edited })}
          onSecret={setSecret}
          onClose={() => setEdited(undefined)}
        />
      )}
      {secret && (
        <SecretDialog title={text('webhooks.secret')} value={secret} onClose={() => setSecret('')} />
      )}
      {shown && <WebhookDeliveries webhook={shown} onClose={() => setShown(undefined)} />}
      {deleted && (
        <Confirm
          {...deletion(deleted.url)}
          onConfirm={() => send(deleteWebhook, { id: deleted.id })}
          onClose={() => setDeleted(undefined)}
        />
      )}
    </section>
  );
}
