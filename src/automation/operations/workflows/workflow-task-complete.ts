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
  description: 'Completes a task with one of its buttons. Only for its actors and for administrators.',
  example: {
    before: reviewOfLetter,
    params: { taskId: '{task}', status: 'start_review', nodeVariables: { participants: ['user:ina'] } },
  },
  kind: 'mutation',
  gives: 'void',
  params: {
    taskId: shortText.required('The id of the task.'),
    status: text.required('The name of one of its buttons.'),
    comment: longText.optional('The comment.'),
    nodeVariables: propertyMap.optional('The values of workflow variables that the task accepts.'),
    workflowVariables: propertyMap.optional('Additional values of workflow variables that the task accepts.'),
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
