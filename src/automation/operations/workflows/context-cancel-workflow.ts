import { cancelWorkflow } from '../../../store/workflows/cancel-workflow.ts';
import { reviewOfLetter } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const contextCancelWorkflow = operation({
  id: 'Context.CancelWorkflow',
  aliases: ['Workflow.Cancel'],
  label: 'Cancel workflow',
  category: 'Workflow Context',
  description:
    'Cancels a running workflow with its open tasks. Only for its initiator, power users and administrators.',
  example: { before: reviewOfLetter, params: { id: '{workflow}' } },
  kind: 'mutation',
  gives: 'void',
  params: { id: text.required('The id of the workflow.') },
  run: async (context, _, { id }) => {
    await cancelWorkflow(context, id);
    return null;
  },
});
