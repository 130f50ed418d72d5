import { Send } from 'lucide-react';
import { useState } from 'react';
import { send, useAnswer } from '../graphql/client.ts';
import { testWebhook, type WebhooksQuery, webhooks } from '../graphql/operations.ts';
import { Button } from '../parts/button.tsx';
import { Dialog } from '../parts/dialog.tsx';
import { attempt } from '../parts/notices.tsx';
import { Time } from '../parts/time.tsx';
import { text, textOr } from '../texts/text.ts';
import { AdminTable } from './table.tsx';

type Webhook = WebhooksQuery['webhooks']['entries'][number];

/** The number of milliseconds between two looks for new deliveries while the dialog is open. */
const interval = 1_500;

interface DeliveriesProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

/** A dialog with the last attempts at a delivery of a webhook, which can send a test message. */
export function WebhookDeliveries({ webhook: { id, url }, onClose }: DeliveriesProps) {
  const { data } = useAnswer(webhooks, {}, { refetchInterval: interval });
  const [awaited, setAwaited] = useState<string>();
  const deliveries = data?.webhooks.entries.find((each) => each.id === id)?.deliveries ?? [];
  const isWaiting = awaited !== undefined && !deliveries.some(({ message }) => message === awaited);
  const sendTest = () => void attempt(async () => setAwaited((await send(testWebhook, { id })).testWebhook));
  return (
    <Dialog title={text('webhooks.deliveries')} onClose={onClose} size="wide">
      <p className="long-text">{url}</p>
      <AdminTable
        label={text('webhooks.deliveries')}
        entries={deliveries}
        keyOf={({ message, at }) => `${message} ${at}`}
        empty={text('webhooks.noDeliveries')}
        columns={[
          {
            label: text('audit.event'),
            value: ({ type }) => (type === 'test' ? text('webhooks.test') : textOr(`event.${type}`, type)),
          },
          { label: text('audit.when'), value: ({ at }) => <Time at={at} /> },
          { label: text('webhooks.took'), value: ({ took }) => `${took} ms` },
          {
            label: text('webhooks.result'),
            value: ({ error }) =>
              error === null ? (
                <span className="good">{text('webhooks.delivered')}</span>
              ) : (
                <span className="bad">{error}</span>
              ),
          },
        ]}
      />
      <footer className="dialog-foot">
        <span role="status" className="hint">
          {isWaiting && text('webhooks.sending')}
        </span>
        <Button icon={Send} onPress={sendTest} isDisabled={isWaiting}>
          {text('webhooks.sendTest')}
        </Button>
        <Button kind="main" onPress={onClose}>
          {text('close')}
        </Button>
      </footer>
    </Dialog>
  );
}
