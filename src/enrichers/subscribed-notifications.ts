import type { DocumentRow } from '../loaders/document-row.ts';
import type { Enricher } from './enricher.ts';

/** §4.9: what the caller wants to be told of the document. */
export const subscribedNotifications: Enricher<DocumentRow> = {
  name: 'subscribedNotifications',
  field: (t) =>
    t.stringList({
      resolve: async ({ id }, _, { load }) =>
        (await load.subscriptions.load(id)).map(({ notification }) => notification),
    }),
  select: () => true,
};
