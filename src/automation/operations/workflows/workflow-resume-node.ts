import { resumeNode } from '../../../store/workflows/resume-node.ts';
import { operation } from '../../operation.ts';
import { text } from '../../params/kinds.ts';

export const workflowResumeNode = operation({
  id: 'Workflow.ResumeNode',
  label: 'Resume workflow',
  category: 'Workflow Context',
  description:
    'Lets a workflow leave its node without its tasks, which are cancelled; for its initiator, power users and administrators.',
  kind: 'mutation',
  gives: 'void',
  params: {
    workflowId: text.required('The id of the workflow.'),
    nodeId: text.required('The id of the node at which it is.'),
  },
  run: async (context, _, { workflowId, nodeId }) => {
    await resumeNode(context, workflowId, nodeId);
    return null;
  },
});
