import { setWorkflowVariable } from '../../../store/workflows/set-workflow-variable.ts';
import { reviewOfLetter } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { anything, text } from '../../params/kinds.ts';

export const contextSetWorkflowVar = operation({
  id: 'Context.SetWorkflowVar',
  label: 'Set workflow variable',
  category: 'Workflow Context',
  description:
    'Sets a variable of a running workflow. Only for its initiator, power users and administrators.',
  example: {
    before: reviewOfLetter,
    params: { workflowInstanceId: '{workflow}', name: 'initiatorComment', value: 'Please' },
  },
  kind: 'mutation',
  gives: 'void',
  params: {
    workflowInstanceId: text.required('The id of the workflow.'),
    name: text.required('The name of one of its variables.'),
    value: anything.optional('The value; if absent, the variable is unset.'),
  },
  run: async (context, _, { workflowInstanceId, name, value }) => {
    await setWorkflowVariable(context, workflowInstanceId, { name, value: value ?? null });
    return null;
  },
});
