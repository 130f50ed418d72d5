import { operation } from '../../operation.ts';
import { flag, integer } from '../../params/kinds.ts';

export const elasticsearchWaitForIndexing = operation({
  id: 'Elasticsearch.WaitForIndexing',
  label: 'Wait for Indexing',
  category: 'Services',
  description:
    'Waits until searches find the words of all files; for what else was written each search waits itself. False after ten seconds.',
  example: {},
  waits: true,
  gives: 'boolean',
  params: {
    timeoutSecond: integer.withDefault(60, 'Ignored.'),
    refresh: flag.withDefault(false, 'Ignored.'),
    waitForAudit: flag.withDefault(false, 'Ignored.'),
    waitForBulkService: flag.withDefault(true, 'Ignored.'),
  },
  run: async ({ searchIndex, db }) => (await searchIndex.catchUpWithFiles(db)) === 0,
});
