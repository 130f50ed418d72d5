import { z } from 'zod';
import { textList } from '../../model/values/json-shapes.ts';
import { call, input } from '../../selection/selection.ts';
import { bodyReader, entityTypeShape, objectShape, optionalText } from '../request/body.ts';
import { del, get, post, put, type Route } from '../route.ts';

const names = textList('must be a list', 'must be a string').nullish();

/** The request body for a webhook. Absent fields keep their values. */
const webhookBody = bodyReader(
  objectShape('WebhookBody', {
    'entity-type': entityTypeShape('webhook'),
    url: optionalText,
    events: names,
    types: names,
    path: optionalText,
    enabled: z.boolean('must be true or false').nullish(),
    secret: optionalText,
  }),
  ({ 'entity-type': _, ...webhook }) => webhook,
);

const byId = { id: input('address.id') };
const webhook = { webhook: input('body') };
const at = '/management/webhooks';

export const webhookRoutes: readonly Route[] = [
  get(at, ({ webhooks }) => ({ webhooks }), {
    name: 'getWebhooks',
    summary: 'All webhooks',
    isHidden: true,
  }),
  post(at, webhookBody, ({ createdWebhook }) => ({ createWebhook: call(webhook, createdWebhook) }), {
    name: 'createWebhook',
    summary: 'Create a webhook; only this response contains its secret',
    isHidden: true,
  }),
  put(`${at}/:id`, webhookBody, (show) => ({ updateWebhook: call({ ...byId, ...webhook }, show.webhook) }), {
    name: 'updateWebhook',
    summary: 'Change, enable or disable a webhook',
    isHidden: true,
  }),
  del(`${at}/:id`, () => ({ deleteWebhook: call(byId) }), {
    name: 'deleteWebhook',
    summary: 'Delete a webhook with its pending deliveries',
    isHidden: true,
  }),
];
