import { offeredModels } from '../../../model/workflows/runnable.ts';
import { operation } from '../../operation.ts';

export const contextGetTaskNames = operation({
  id: 'Context.GetTaskNames',
  label: 'Get task names',
  category: 'Workflow Context',
  description:
    'Returns the names of the tasks in all workflow models as JSON: `[{id, label}]`. The names are message keys.',
  example: {},
  gives: 'json',
  run: async ({ services: { model } }) => {
    const nodes = offeredModels(model).flatMap((each) => [...each.nodes.values()]);
    const names = nodes.flatMap(({ task }) => (typeof task?.name === 'string' ? [task.name] : []));
    return [...new Set(names)].sort().map((name) => ({ id: name, label: name }));
  },
});
