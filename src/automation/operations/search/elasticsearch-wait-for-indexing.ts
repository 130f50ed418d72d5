import { longWait } from '../../../store/bulk/long-wait.ts';
import { ownCommandsEnd } from '../../../store/bulk/wait-for-command.ts';
import { operation } from '../../operation.ts';
import { flag, integer } from '../../params/kinds.ts';

export const elasticsearchWaitForIndexing = operation({
  id: 'Elasticsearch.WaitForIndexing',
  label: 'Wait for Indexing',
  category: 'Services',
  description:
    'Waits until everything that has been committed, including the text of files, is searchable. Returns false if this takes longer than timeoutSecond.',
  example: {},
  waits: true,
  gives: 'boolean',
  params: {
    timeoutSecond: integer.withDefault(60, 'The timeout in seconds, limited by the timeout of requests.'),
    refresh: flag.withDefault(false, 'Ignored, because searches find everything in the index.'),
    waitForAudit: flag.withDefault(
      false,
      'Ignored, because log entries are written in the same transaction as the change.',
    ),
    waitForBulkService: flag.withDefault(true, "Whether to wait for the caller's bulk actions first."),
  },
  run: async (context, _, { timeoutSecond, waitForBulkService }) => {
    const wait = longWait(context.searchTurn, timeoutSecond);
    if (waitForBulkService && !(await ownCommandsEnd(context, wait))) return false;
    return context.services.searchIndex.findsAll(context.db, wait);
  },
});
