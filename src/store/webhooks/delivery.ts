import type { Client } from '../../db/database.ts';
import { statement } from '../../db/statement.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { turnTriggerLater } from './trigger.ts';

/** The kind of job that delivers a message to a webhook. */
export const webhookJob = 'send-webhook';

/** The payload of a delivery job. */
export interface Delivery {
  readonly repository: string;
  readonly webhook: string;
  /** The id of the message. It is the same for each attempt. */
  readonly message: string;
  readonly type: string;
  readonly timestamp: string;
  readonly data: unknown;
}

/** The type of a message that an administrator sends to try out a webhook. */
export const testType = 'test';

/** An attempt at a delivery. */
export interface DeliveryAttempt {
  readonly message: string;
  /** The id of the event. */
  readonly type: string;
  /** The time in ISO 8601. */
  readonly at: string;
  /** The number of milliseconds until the response or the error. */
  readonly took: number;
  /** The reason why the attempt failed; null if the message was delivered. */
  readonly error: string | null;
}

/** Attempts are stored in the row of the webhook, with which they are read and deleted. */
const note = statement('note-webhook-delivery')`
  UPDATE webhook SET deliveries = jsonb_path_query_array($3::jsonb || deliveries, '$[0 to 19]')
  WHERE repository = $1 AND id = $2`;

/** Adds an attempt to the last 20 of the webhook. */
export async function noteDelivery(
  db: Pick<Client, 'query'>,
  { repository, webhook }: Delivery,
  { error, ...attempt }: DeliveryAttempt,
): Promise<void> {
  const noted = { ...attempt, error: error?.replaceAll('\0', '').slice(0, 300) ?? null };
  await db.query(note, [repository, webhook, JSON.stringify([noted])]);
}

/** The URL and state of the webhook; null if it was deleted. */
export const targetOf = (
  { prisma }: Pick<Client, 'prisma'>,
  { repository, webhook: id }: Delivery,
): Promise<Pick<Webhook, 'url' | 'sealedSecret' | 'isEnabled'> | null> =>
  prisma.webhook.findUnique({
    where: { repository_id: { repository, id } },
    select: { url: true, sealedSecret: true, isEnabled: true },
  });

// Pending deliveries are set aside in the same statement, so that none of them overtakes the failed one.
const off = statement('switch-webhook-off')`
  WITH off AS (
    UPDATE webhook SET is_enabled = false, error = $3, disabled_at = clock_timestamp()
    WHERE repository = $1 AND id = $2 AND is_enabled RETURNING id
  )
  UPDATE job SET state = 'set-aside', run_at = clock_timestamp(), error = 'The webhook is disabled.'
  FROM off WHERE kind = '${webhookJob}' AND state = 'waiting' AND payload ->> 'webhook' = off.id::text`;

/**
 * Disables a webhook after the last attempt at a delivery has failed, and sets its pending deliveries aside until the
 * webhook is enabled again.
 */
export async function switchOff(db: Client, { repository, webhook }: Delivery, error: string): Promise<void> {
  await db.query(off, [repository, webhook, error.replaceAll('\0', '').slice(0, 500)]);
  await turnTriggerLater({ db });
}
