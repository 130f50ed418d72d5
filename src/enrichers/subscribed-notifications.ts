import type { DocumentRow } from '../loaders/documents/document-row.ts';
import type { Enricher } from './enricher.ts';

export const subscribedNotificationsEnricher: Enricher<DocumentRow> = {
  name: 'subscribedNotifications',
  field: (t) =>
    t.stringList({
      description: 'The notifications for the document that the caller has subscribed to.',
      resolve: async ({ id }, _, { load }) =>
        (await load.subscriptions.load(id)).map(({ notification }) => notification).sort(),
    }),
  select: () => true,
};
