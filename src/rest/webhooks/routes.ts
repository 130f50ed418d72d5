import { call, input } from '../../selection/selection.ts';
import { del, get, post, put, type Route } from '../route.ts';
import { webhookBody } from './bodies.ts';

const byId = { id: input('address.id') };
const webhook = { webhook: input('body') };
const at = '/management/webhooks';

export const webhookRoutes: readonly Route[] = [
  get(at, ({ webhooks }) => ({ webhooks }), {
    name: 'getWebhooks',
    summary: 'Addresses that are called after events',
    isHidden: true,
  }),
  post(at, webhookBody, ({ createdWebhook }) => ({ createWebhook: call(webhook, createdWebhook) }), {
    name: 'createWebhook',
    summary: 'Have an address called after events; the answer has its secret, once',
    isHidden: true,
  }),
  put(`${at}/:id`, webhookBody, (show) => ({ updateWebhook: call({ ...byId, ...webhook }, show.webhook) }), {
    name: 'updateWebhook',
    summary: 'Change a webhook, or switch it on or off',
    isHidden: true,
  }),
  del(`${at}/:id`, () => ({ deleteWebhook: call(byId) }), {
    name: 'deleteWebhook',
    summary: 'Delete a webhook with what is still to be sent',
    isHidden: true,
  }),
];
