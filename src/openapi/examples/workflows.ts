import type { Example, Examples, Step } from './example.ts';
import { atBoth, report } from './places.ts';

const model = 'SerialDocumentReview';
const body = { 'entity-type': 'workflow', workflowModelName: model };
const start = {
  'entity-type': 'task',
  comment: 'Please read it.',
  variables: { participants: ['user:ina'], initiatorComment: 'Please read it.' },
};
const modelled = { parameters: { model } };
const [task, workflow] = [{ task: '{task}' }, { workflow: '{workflow}' }];

const openTask: Step = {
  route: 'getTasks',
  parameters: { workflowInstanceId: '{workflow}' },
  gives: { task: 'entries.0.id' },
};

/** A review of the report, with the task of who began it. */
export const review: readonly Step[] = [
  { route: 'startWorkflowByPath', parameters: { path: report }, body, gives: { workflow: 'id' } },
  openTask,
];

const reviewed = (example: Example): Example => ({ before: review, ...example });

export const workflowExamples: Examples = {
  ...atBoth(({ at }) => ({
    startWorkflow: { parameters: at, body },
    getWorkflows: { parameters: at },
    getTasks: { parameters: at },
    getTasksOfWorkflow: reviewed({ parameters: { ...at, ...workflow } }),
    endTask: { parameters: { ...at, ...task, action: 'start_review' }, body: start },
  })),
  startWorkflow: { body: { ...body, attachedDocumentIds: ['{report}'] } },
  getWorkflows: { parameters: { workflowModelName: model } },
  getTasks: { parameters: { pageSize: 2 } },
  getTask: reviewed({ parameters: task }),
  delegateTask: { parameters: { ...task, delegatedActors: ['user:ina'], comment: 'While I am away' } },
  getWorkflow: { parameters: workflow },
  getWorkflowGraph: { parameters: workflow },
  endTask: { parameters: { ...task, action: 'start_review' }, body: start },
  reassignTask: {
    before: [openTask],
    parameters: { ...task, actors: ['user:Administrator'], comment: 'Ina is away' },
  },
  cancelWorkflow: { parameters: workflow },
  getWorkflowModels: {},
  getWorkflowModel: modelled,
  getWorkflowModelGraph: modelled,
};
