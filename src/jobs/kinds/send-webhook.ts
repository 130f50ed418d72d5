import { createHmac } from 'node:crypto';
import { type Delivery, switchOff, targetOf, webhookJob } from '../../store/webhooks/delivery.ts';
import { openWebhookSecret } from '../../store/webhooks/webhook-secret.ts';
import { Final, type JobKind } from '../job-runner.ts';
import { createPost } from '../post-json.ts';
import type { JobServices } from '../services.ts';

/** Seconds: a day altogether. */
const delays = [10, 60, 300, 900, 3_600, 10_800, 21_600, 21_600, 28_800] as const;

const keyOf = (secret: string): Buffer =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : Buffer.from(secret, 'utf8');

/** The headers of https://www.standardwebhooks.com, by which libraries check what they receive. */
function signed(id: string, secret: string, body: string): Record<string, string> {
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

const isGone = 410;

export function sendWebhook({ database, secrets, webhookNetworks = [] }: JobServices): JobKind {
  const post = createPost(webhookNetworks);
  return {
    name: webhookJob,
    most: 8,
    delays,
    run: async ({ payload }, signal) => {
      const delivery = payload as Delivery;
      const { message, type, timestamp, data } = delivery;
      const target = await targetOf(database, delivery);
      if (!target) return undefined;
      if (!target.isEnabled) throw new Final('the webhook is switched off');
      const secret = openWebhookSecret(secrets, target.sealedSecret);
      if (secret === undefined)
        throw new Final('its secret cannot be decrypted: TOKEN_KEY is another one than when it was written');
      const body = JSON.stringify({ type, timestamp, data });
      const headers = { 'Content-Type': 'application/json', ...signed(message, secret, body) };
      const status = await post(target.url, { body, headers, signal });
      if (status === isGone) throw new Final(`it answered ${status}`);
      if (status < 200 || status > 299) throw new Error(`it answered ${status}`);
      return 1;
    },
    onSetAside: ({ payload }, error) =>
      switchOff(database, payload as Delivery, error instanceof Error ? error.message : String(error)),
  };
}
