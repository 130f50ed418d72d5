import { maxPageSize } from '../../../loaders/lists/page.ts';
import { actorNames } from '../../../loaders/workflows/tasks.ts';
import { operation } from '../../operation.ts';
import { shownTasks } from '../../workflows/shown-tasks.ts';

export const taskGetAssigned = operation({
  id: 'Task.GetAssigned',
  aliases: ['Workflow.GetTask'],
  label: 'Get user tasks',
  category: 'Workflow Context',
  description: 'Returns at most 1000 open tasks that the caller can complete, sorted by due date, as JSON.',
  example: {},
  gives: 'json',
  run: async (context) => {
    const page = { pageSize: maxPageSize, offset: 0 };
    const { rows } = await context.load.tasks({ actors: actorNames(context.user) }, page);
    return shownTasks(context, rows);
  },
});
