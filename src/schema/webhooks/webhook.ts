import { builder } from '../../graphql/builder.ts';
import type { WebhookRow } from '../../loaders/webhooks/webhooks.ts';
import { requireAdministrator } from '../../security/principal.ts';
import {
  type CreatedWebhook,
  createWebhook,
  deleteWebhook,
  updateWebhook,
  type WebhookFields,
} from '../../store/webhooks/webhooks.ts';

type Shown = WebhookRow & Partial<Pick<CreatedWebhook, 'secret'>>;

const Webhook = builder.objectRef<Shown>('Webhook');
Webhook.implement({
  description: 'An address that is called after events.',
  fields: (t) => ({
    id: t.exposeID('id'),
    url: t.exposeString('url'),
    events: t.exposeStringList('events', { description: 'Ids of events; any when empty.' }),
    types: t.exposeStringList('types', { description: 'Names of document types; any when empty.' }),
    path: t.exposeString('path', {
      nullable: true,
      description: 'Events of the document there and of those below.',
    }),
    enabled: t.exposeBoolean('isEnabled'),
    error: t.exposeString('error', {
      nullable: true,
      description: 'Why the server has switched it off: the last attempt of a delivery failed.',
    }),
    disabledAt: t.string({ nullable: true, resolve: ({ disabledAt }) => disabledAt?.toISOString() }),
    createdBy: t.exposeString('createdBy'),
    createdAt: t.string({ resolve: ({ createdAt }) => createdAt.toISOString() }),
    secret: t.string({
      nullable: true,
      description: 'Signs what is sent; shown once, when the webhook is created.',
      resolve: ({ secret }) => secret,
    }),
  }),
});

const Webhooks = builder.objectRef<readonly WebhookRow[]>('Webhooks').implement({
  fields: (t) => ({ entries: t.field({ type: [Webhook], resolve: (rows) => [...rows] }) }),
});

builder.queryField('webhooks', (t) =>
  t.field({
    type: Webhooks,
    description: 'The webhooks of the repository, the oldest first; for administrators.',
    resolve: (_, __, { load, user }) => {
      requireAdministrator(user, 'see webhooks');
      return load.webhooks();
    },
  }),
);

const WebhookInput = builder.inputType('WebhookInput', {
  description: 'Absent fields stay; in a new webhook they have their defaults.',
  fields: (t) => ({
    url: t.string(),
    events: t.stringList(),
    types: t.stringList(),
    path: t.string({ description: 'null removes it.' }),
    enabled: t.boolean({ description: 'true sends what was set aside when it was switched off.' }),
    secret: t.string({ description: '16 to 200 characters; made by the server when absent.' }),
  }),
});

type Given = typeof WebhookInput.$inferInput;

/** Removes null values, which count as absent. A null path is kept, because it removes the path. */
const given = ({ path, ...others }: Given): Partial<WebhookFields> => ({
  ...Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null && value !== undefined)),
  ...(path !== undefined && { path }),
});

builder.mutationFields((t) => ({
  createWebhook: t.field({
    type: Webhook,
    args: { webhook: t.arg({ type: WebhookInput, required: true }) },
    resolve: (_, { webhook }, context) => {
      requireAdministrator(context.user, 'manage webhooks');
      return createWebhook(context, given(webhook));
    },
  }),
  updateWebhook: t.field({
    type: Webhook,
    args: { id: t.arg.id({ required: true }), webhook: t.arg({ type: WebhookInput, required: true }) },
    resolve: (_, { id, webhook }, context) => {
      requireAdministrator(context.user, 'manage webhooks');
      return updateWebhook(context, String(id), given(webhook));
    },
  }),
  deleteWebhook: t.id({
    description: 'Deletes a webhook with what is still to be sent; answers its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_, { id }, context) => {
      requireAdministrator(context.user, 'manage webhooks');
      await deleteWebhook(context, String(id));
      return id;
    },
  }),
}));
