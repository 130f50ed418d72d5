import { randomBytes, randomUUID } from 'node:crypto';
import { statement } from '../../db/statement.ts';
import { Conflict, Invalid, NotFound } from '../../errors.ts';
import type { WebhookRow } from '../../loaders/webhooks/webhooks.ts';
import { isUuid } from '../../model/names.ts';
import { withoutTrailing } from '../../model/trailing.ts';
import { requireStorable } from '../../model/values/storable.ts';
import { unknownName } from '../../near-names.ts';
import type { Scope } from '../../scope.ts';
import { RefusedAddress, requireReachable } from '../../security/private-addresses.ts';
import { isListener } from '../extensions/after-listeners.ts';
import { enqueueJobs } from '../queue/enqueue-jobs.ts';
import { type Delivery, testType, webhookJob } from './delivery.ts';
import { turnTrigger, turnTriggerLater } from './trigger.ts';
import { sealWebhookSecret } from './webhook-secret.ts';

/** The fields of a webhook. */
export interface WebhookFields {
  readonly url: string;
  readonly events: readonly string[];
  readonly types: readonly string[];
  readonly path: string | null;
  readonly enabled: boolean;
  readonly secret: string;
}

/** The maximum number of webhooks in a repository. */
const maxWebhooks = 100;

const [maxUrl, maxSecret, maxNames] = [2_000, 200, 200];

/**
 * Checks the URL of a webhook.
 * @throws Invalid if the URL is malformed or not allowed
 */
function requireUrl(scope: Scope, text: string): void {
  const networks = scope.services.config.WEBHOOK_PRIVATE_ADDRESSES;
  const url = text.length <= maxUrl && URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Invalid(`url must be an http or https URL of at most ${maxUrl} characters`);
  if (url.username || url.password) throw new Invalid('url must not contain credentials');
  try {
    requireReachable(url, networks);
  } catch (error) {
    throw error instanceof RefusedAddress ? new Invalid(`url: ${error.message}`) : error;
  }
}

/**
 * Checks the fields of a webhook.
 * @throws Invalid
 */
function requireValid(scope: Scope, { url, events, types, path, secret }: Partial<WebhookFields>): void {
  const { model } = scope.services;
  requireStorable([url, events, types, path, secret]);
  if (url !== undefined) requireUrl(scope, url);
  for (const [name, names] of Object.entries({ events, types }))
    if ((names?.length ?? 0) > maxNames || names?.some((each) => each === '' || each.length > 255))
      throw new Invalid(`${name} must contain at most ${maxNames} names of 1 to 255 characters`);
  const unknown = types?.find((type) => !model.types.has(type));
  if (unknown !== undefined) throw new Invalid(`types: ${unknownName('type', unknown, model.types.keys())}`);
  if (path && (!path.startsWith('/') || path.length > 8_000))
    throw new Invalid('path must begin with a slash and have at most 8,000 characters');
  if (secret !== undefined && (secret.length < 16 || secret.length > maxSecret))
    throw new Invalid(`secret must have 16 to ${maxSecret} characters`);
}

const columnsOf = (scope: Scope, { secret, enabled, path, ...fields }: Partial<WebhookFields>) => ({
  ...(fields.url !== undefined && { url: fields.url }),
  ...(fields.events && { events: [...fields.events] }),
  ...(fields.types && { types: [...fields.types] }),
  ...(path !== undefined && { path: path ? withoutTrailing(path, '/') || '/' : null }),
  ...(secret !== undefined && { sealedSecret: sealWebhookSecret(scope.services.secrets, secret) }),
  ...(enabled !== undefined && {
    isEnabled: enabled,
    ...(enabled ? { error: null, disabledAt: null } : { disabledAt: new Date() }),
  }),
});

/** A new webhook along with its secret. */
export type CreatedWebhook = WebhookRow & { readonly secret: string };

/**
 * Creates a webhook.
 * @returns the webhook with its secret, which is never returned again
 * @throws Invalid, Conflict
 */
export async function createWebhook(
  scope: Scope,
  { secret = `whsec_${randomBytes(32).toString('base64')}`, ...fields }: Partial<WebhookFields>,
): Promise<CreatedWebhook> {
  const { db, options, user } = scope;
  const { url } = fields;
  if (url === undefined) throw new Invalid('url is missing');
  requireValid(scope, { ...fields, secret });
  if ((await db.prisma.webhook.count({ where: { repository: options.repository } })) >= maxWebhooks)
    throw new Conflict(`A repository can have at most ${maxWebhooks} webhooks. Delete one of them first.`);
  const { sealedSecret, ...row } = await db.prisma.webhook.create({
    data: {
      ...columnsOf(scope, fields),
      url,
      sealedSecret: sealWebhookSecret(scope.services.secrets, secret),
      repository: options.repository,
      createdBy: user.id,
    },
  });
  if (row.isEnabled) await turnTrigger(db);
  return { ...row, secret };
}

const notThere = (id: string) => new NotFound(`There is no webhook ${id}.`);

const wait = statement('webhook-jobs-wait')`
  UPDATE job SET state = 'waiting', attempts = 0, run_at = clock_timestamp()
  WHERE kind = '${webhookJob}' AND state = 'set-aside' AND payload ->> 'webhook' = $1`;

/**
 * Changes a webhook. Enabling it also sends the deliveries that were set aside when it was disabled.
 * @throws Invalid, NotFound
 */
export async function updateWebhook(
  scope: Scope,
  id: string,
  change: Partial<WebhookFields>,
): Promise<WebhookRow> {
  const { db, options } = scope;
  requireValid(scope, change);
  const where = { repository: options.repository, id };
  const [row] = isUuid(id)
    ? await db.prisma.webhook.updateManyAndReturn({
        where,
        data: columnsOf(scope, change),
        omit: { sealedSecret: true },
      })
    : [];
  if (!row) throw notThere(id);
  await (row.isEnabled ? turnTrigger(db) : turnTriggerLater(scope));
  if (change.enabled) {
    await db.query(wait, [row.id]);
    await db.announce('jobs');
  }
  return row;
}

/**
 * Sends a test message to a webhook, even if it is disabled. Unlike other messages, it is sent only once.
 * @returns the id of the message, by which the result can be found among the deliveries of the webhook
 * @throws Invalid for a listener of an extension, NotFound
 */
export async function testWebhook(scope: Scope, id: string): Promise<string> {
  const { db, options, user } = scope;
  const { repository } = options;
  const where = { repository_id: { repository, id } };
  const found = isUuid(id)
    ? await db.prisma.webhook.findUnique({ where, select: { id: true, url: true } })
    : null;
  if (!found) throw notThere(id);
  if (isListener(found)) throw new Invalid('A listener of an extension cannot be tested.');
  const payload: Delivery = {
    repository,
    webhook: found.id,
    message: randomUUID(),
    type: testType,
    timestamp: new Date().toISOString(),
    data: { repository, principal: user.id, comment: 'A test message' },
  };
  await enqueueJobs(scope, [{ kind: webhookJob, payload: { ...payload } }]);
  return payload.message;
}

/**
 * Deletes a webhook along with its pending deliveries.
 * @throws NotFound
 */
export async function deleteWebhook(scope: Scope, id: string): Promise<void> {
  const { db, options } = scope;
  const where = { repository: options.repository, id };
  const { count } = isUuid(id) ? await db.prisma.webhook.deleteMany({ where }) : { count: 0 };
  if (count === 0) throw notThere(id);
  const payload = { path: ['webhook'], equals: id.toLowerCase() };
  await db.prisma.job.deleteMany({ where: { kind: webhookJob, payload, state: { not: 'running' } } });
  await turnTriggerLater(scope);
}
