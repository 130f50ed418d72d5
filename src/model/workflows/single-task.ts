import type { NodeDefinition, TaskDefinition, WorkflowDefinition } from './definition.ts';

const button = (name: string, runs: string): TaskDefinition['buttons'][number] => ({
  name,
  label: `wf.singleTask.${name}`,
  validate: true,
  runs,
});

const buttons = [button('accept', 'acceptChain'), button('reject', 'rejectChain')];

const step = (id: string, actors: TaskDefinition['actors']): NodeDefinition => ({
  id,
  task: {
    name: { variable: 'name' },
    directive: { variable: 'directive' },
    actors,
    due: { variable: 'dueDate' },
    reassignable: true,
    shows: [],
    buttons,
  },
  transitions: [{ to: 'end' }],
});

/** The workflow of tasks that are created individually. Only the operation `Task.Create` starts it. */
export const singleTask: WorkflowDefinition = {
  name: 'SingleTask',
  title: 'wf.singleTask.SingleTask',
  runsOn: { repeatedly: true },
  variables: 'var_SingleTask',
  keeps: ['acceptChain', 'rejectChain'],
  nodes: [
    {
      id: 'start',
      transitions: [{ to: 'together', when: [{ variable: 'together', is: true }] }, { to: 'each' }],
    },
    step('each', { variable: 'participants' }),
    step('together', { variable: 'participants', together: true }),
    { id: 'end' },
  ],
};
