import { bulkCommandEnds } from '../../../store/bulk/wait-for-command.ts';
import { operation } from '../../operation.ts';
import { integer, text } from '../../params/kinds.ts';

export const bulkWaitForAction = operation({
  id: 'Bulk.WaitForAction',
  label: 'Wait for Bulk computation',
  category: 'Services',
  description:
    'Waits until a bulk action has ended, and returns whether it has. It waits for timeoutSecond seconds at most, and not at all inside a transaction.',
  example: {
    before: [
      {
        call: 'Bulk.RunAction',
        params: { action: 'trash', query: "SELECT * FROM Document WHERE ecm:name = 'no-such'" },
        gives: { command: 'commandId' },
      },
    ],
    params: { commandId: '{command}' },
  },
  isForAdministrators: true,
  waits: true,
  gives: 'boolean',
  params: {
    commandId: text.required('The id of the bulk action.'),
    timeoutSecond: integer.withDefault(60, 'The timeout in seconds, at most 60.'),
  },
  run: (context, _, { commandId, timeoutSecond }) => bulkCommandEnds(context, commandId, timeoutSecond),
});
