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

/** Cancels the review, because only one workflow of the same model can run on a document at a time. */
const cancelled: Step = { route: 'cancelWorkflow', parameters: workflow };

/** Starts a new review of the report. Its task is assigned to the user who starts it. */
const review: readonly Step[] = [
  cancelled,
  { route: 'startWorkflowByPath', parameters: { path: report }, body, gives: { workflow: 'id' } },
  openTask,
];

const reviewed = (example: Example): Example => ({ before: review, ...example });
const started = (example: Example): Example => ({ gives: { workflow: 'id' }, ...example });

export const workflowExamples: Examples = {
  ...atBoth(({ at, by }) => ({
    startWorkflow: started({ parameters: at, body, before: by === 'Path' ? [] : [cancelled] }),
    getWorkflows: { parameters: at },
    getTasks: { parameters: at },
    getTasksOfWorkflow: reviewed({ parameters: { ...at, ...workflow } }),
    endTask: { parameters: { ...at, ...task, action: 'start_review' }, body: start },
  })),
  startWorkflow: started({ body: { ...body, attachedDocumentIds: ['{report}'] }, before: [cancelled] }),
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
