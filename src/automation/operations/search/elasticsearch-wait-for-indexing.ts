import { operation } from '../../operation.ts';
import { flag, integer } from '../../params/kinds.ts';

export const elasticsearchWaitForIndexing = operation({
  id: 'Elasticsearch.WaitForIndexing',
  label: 'Wait for Indexing',
  category: 'Services',
  description: 'Answers true at once: each search waits for what was written before it.',
  gives: 'boolean',
  params: {
    timeoutSecond: integer.withDefault(60, 'Ignored: there is nothing to wait for.'),
    refresh: flag.withDefault(false, 'Ignored.'),
    waitForAudit: flag.withDefault(false, 'Ignored.'),
    waitForBulkService: flag.withDefault(true, 'Ignored.'),
  },
  run: async () => true,
});
