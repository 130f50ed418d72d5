import { maxPageSize } from '../../../loaders/lists/page.ts';
import { actorNames, namesOfActors } from '../../../loaders/workflows/tasks.ts';
import { isUuid } from '../../../model/names.ts';
import { reviewOfLetter } from '../../call-example.ts';
import { documentAt } from '../../documents/document-at.ts';
import { operation } from '../../operation.ts';
import { shortText } from '../../params/kinds.ts';
import { shownTasks } from '../../workflows/shown-tasks.ts';

export const workflowGetOpenTasks = operation({
  id: 'Workflow.GetOpenTasks',
  aliases: ['Context.GetOpenTasks'],
  label: 'Get open tasks',
  category: 'Workflow Context',
  description:
    'Returns at most 1000 open tasks about the document that the caller can see, sorted by due date, as JSON.',
  example: { before: reviewOfLetter, input: '{letter}' },
  takes: ['document'],
  needs: 'Read',
  gives: 'json',
  params: {
    nodeId: shortText.optional('The id of the workflow node that created the tasks.'),
    processId: shortText.optional('The id of the workflow of the tasks.'),
    username: shortText.optional('A user or group who can complete the tasks.'),
  },
  run: async (context, reference, { nodeId, processId, username }) => {
    const { load, user } = context;
    const { id } = await documentAt(context, reference);
    if (processId !== undefined && !isUuid(processId)) return [];
    const filter = {
      ...(username !== undefined && { actors: namesOfActors([username]) }),
      ...(!user.isAdministrator && { visibleTo: actorNames(user) }),
      ...(processId !== undefined && { workflow: processId }),
      ...(nodeId !== undefined && { node: nodeId }),
    };
    const { rows } = await load.tasks(filter, { pageSize: maxPageSize, offset: 0 }, id);
    return shownTasks(context, rows);
  },
});
