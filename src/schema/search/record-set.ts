import { builder } from '../../graphql/builder.ts';
import { Page } from '../../graphql/page.ts';
import type { PageShape } from '../../loaders/lists/page.ts';
import type { SearchRecord } from '../../loaders/search/records.ts';

export const RecordSet = builder.objectRef<PageShape<SearchRecord>>('RecordSet').implement({
  description: 'A page of records from a query that selects columns.',
  interfaces: [Page],
  fields: (t) => ({
    entries: t.expose('entries', {
      type: ['JSON'],
      description: 'The values of each record, by column name.',
    }),
  }),
});
