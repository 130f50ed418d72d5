import { constant, type Selection } from '../../selection/selection.ts';

const webhook: Selection = {
  'entity-type': constant('webhook'),
  id: true,
  url: true,
  events: true,
  types: true,
  path: true,
  enabled: true,
  error: true,
  disabledAt: true,
  createdBy: true,
  createdAt: true,
};

export const webhookEntities = {
  webhook,
  createdWebhook: { ...webhook, secret: true },
  webhooks: { 'entity-type': constant('webhooks'), entries: webhook },
} satisfies Record<string, Selection>;
