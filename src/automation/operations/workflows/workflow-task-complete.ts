import { endTask } from '../../../store/workflows/end-task.ts';
import { reviewOfLetter } from '../../call-example.ts';
import { readInput } from '../../input.ts';
import { operation } from '../../operation.ts';
import { longText, propertyMap, shortText, text } from '../../params/kinds.ts';
import { buttonCall } from '../../workflows/button-call.ts';

export const workflowTaskComplete = operation({
  id: 'WorkflowTask.Complete',
  aliases: ['Workflow.CompleteTaskOperation'],
  label: 'Complete task',
  category: 'Workflow Context',
  description: 'Ends a task by one of its buttons, as its page would; for its actors and administrators.',
  example: {
    before: reviewOfLetter,
    params: { taskId: '{task}', status: 'start_review', nodeVariables: { participants: ['user:ina'] } },
  },
  kind: 'mutation',
  gives: 'void',
  params: {
    taskId: shortText.required('The id of the task.'),
    status: text.required('The name of one of its buttons.'),
    comment: longText.optional('What the caller says about it.'),
    nodeVariables: propertyMap.optional('Variables of the workflow that the task takes.'),
    workflowVariables: propertyMap.optional('The same.'),
  },
  run: async (context, _, { taskId, status, comment, nodeVariables, workflowVariables }, call) => {
    const ended = await endTask(context, taskId, {
      action: status,
      comment,
      variables: { ...workflowVariables, ...nodeVariables },
    });
    const next = buttonCall(context.services.model, ended, status);
    if (!next) return null;
    context.reload();
    const variables = new Map(Object.entries(next.variables));
    await call.with({ input: await readInput(context, next.input), variables }).run(next.id, next.params);
    return null;
  },
});
