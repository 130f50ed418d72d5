import { resumeNode } from '../../../store/workflows/resume-node.ts';
import { newLetter } from '../../call-example.ts';
import { operation } from '../../operation.ts';
import { shortText, text } from '../../params/kinds.ts';

export const workflowResumeNode = operation({
  id: 'Workflow.ResumeNode',
  label: 'Resume workflow',
  category: 'Workflow Context',
  description:
    'Cancels the open tasks of a workflow and advances it to the next node. Only for its initiator, power users and administrators.',
  example: {
    before: [
      newLetter,
      {
        route: 'startWorkflow',
        body: {
          'entity-type': 'workflow',
          workflowModelName: 'ParallelDocumentReview',
          attachedDocumentIds: ['{letter}'],
        },
        gives: { workflow: 'id' },
      },
      { call: 'Workflow.GetOpenTasks', input: '{letter}', gives: { task: '0.id' } },
      {
        call: 'WorkflowTask.Complete',
        params: {
          taskId: '{task}',
          status: 'start_review',
          nodeVariables: { participants: ['user:ina'], validationOrReview: 'simpleReview' },
        },
      },
    ],
    params: { workflowId: '{workflow}', nodeId: 'Task328d' },
  },
  kind: 'mutation',
  gives: 'void',
  params: {
    workflowId: text.required('The id of the workflow.'),
    nodeId: shortText.required('The id of the current node of the workflow.'),
  },
  run: async (context, _, { workflowId, nodeId }) => {
    await resumeNode(context, workflowId, nodeId);
    return null;
  },
});
