import { longWait } from '../../../store/bulk/long-wait.ts';
import { ownCommandsEnd } from '../../../store/bulk/wait-for-command.ts';
import { operation } from '../../operation.ts';
import { flag, integer } from '../../params/kinds.ts';

export const elasticsearchWaitForIndexing = operation({
  id: 'Elasticsearch.WaitForIndexing',
  label: 'Wait for Indexing',
  category: 'Services',
  description:
    'Waits until searches find all that is committed, the words of all files too. False when they do not after timeoutSecond.',
  example: {},
  waits: true,
  gives: 'boolean',
  params: {
    timeoutSecond: integer.withDefault(60, 'Seconds, as long as a request may take at most.'),
    refresh: flag.withDefault(false, 'Ignored: what is indexed is found.'),
    waitForAudit: flag.withDefault(false, 'Ignored: the log of a write is written with it.'),
    waitForBulkService: flag.withDefault(true, "Whether it waits for the caller's bulk actions first."),
  },
  run: async (context, _, { timeoutSecond, waitForBulkService }) => {
    const wait = longWait(context.searchTurn, timeoutSecond);
    if (waitForBulkService && !(await ownCommandsEnd(context, wait))) return false;
    return context.services.searchIndex.findsAll(context.db, wait);
  },
});
