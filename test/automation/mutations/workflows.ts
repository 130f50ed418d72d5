import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import type { TestServer } from '../../support/server.ts';
import {
  documentInFolder,
  type Mutation,
  onDocumentWith,
  type Places,
  sameDocument,
  usual,
} from './mutation.ts';

/** The workflow of each document. */
const workflows = new Map<string, string>();

async function documentInWorkflow(server: TestServer): Promise<Places> {
  const places = await documentInFolder(server);
  const uid = places.document?.uid ?? '';
  const { body } = await server.request
    .post(`/api/v1/id/${uid}/@workflow`)
    .send({ 'entity-type': 'workflow', workflowModelName: 'SerialDocumentReview' })
    .expect(201);
  workflows.set(uid, body.id);
  return places;
}

const workflowOf = ({ document }: Places): string => workflows.get(document?.uid ?? '') ?? '';

const inWorkflow =
  (params: Record<string, unknown>, name = 'workflowInstanceId') =>
  (places: Places) => ({ params: { [name]: workflowOf(places), ...params } });

/** The task of each document, which bob may end. */
const tasks = new Map<string, string>();

async function documentWithTask(server: TestServer): Promise<Places> {
  const places = await documentInWorkflow(server);
  const uid = places.document?.uid ?? '';
  const { body } = await server.request.get(`/api/v1/id/${uid}/@task`).expect(200);
  const id: string = body.entries[0].id;
  await server.request.put(`/api/v1/task/${id}/delegate`).query({ delegatedActors: 'user:bob' }).expect(200);
  tasks.set(uid, id);
  return places;
}

const onTask =
  (params: Record<string, unknown>) =>
  ({ document }: Places) => ({ params: { taskId: tasks.get(document?.uid ?? ''), ...params } });

/** A workflow at a node that a workflow may leave without a button. */
async function documentUnderReview(server: TestServer): Promise<Places> {
  const places = await documentInFolder(server);
  const flow = reviewing(server);
  if (!places.document) throw new Error('no document was created');
  const variables = { participants: ['user:bob'], validationOrReview: 'simpleReview' };
  const { id } = await flow.begun('Administrator', 'ParallelDocumentReview', places.document, variables);
  workflows.set(places.document.uid, id);
  return places;
}

const creating = (params: Record<string, unknown>) =>
  onDocumentWith({
    'task name': 'Check it',
    'additional list of actors prefixed ids': 'user:bob',
    ...params,
  });

const missing = '00000000-0000-4000-8000-000000000000';
const noWorkflow = /^Can not get workflow instance with id: /;

export const workflowMutations: Readonly<Record<string, Mutation>> = {
  'Context.StartWorkflow': {
    ...usual,
    given: onDocumentWith({ id: 'SerialDocumentReview' }),
    answers: sameDocument,
    needs: { document: ['ReadWrite'] },
    refuses: [
      { given: onDocumentWith({}), status: 400, message: /^id / },
      { given: onDocumentWith({ id: 'Nothing' }), status: 400, message: /Nothing/ },
      {
        given: onDocumentWith({ id: 'SerialDocumentReview', start: false }),
        status: 400,
        message: /^start must be true/,
      },
    ],
    records: [
      ['afterWorkflowStarted', 'document'],
      ['afterWorkflowTaskCreated', 'document'],
    ],
  },
  'Context.CancelWorkflow': {
    make: documentInWorkflow,
    given: inWorkflow({}, 'id'),
    answers: () => null,
    needs: {},
    who: 'powerusers',
    refuses: [
      { given: () => ({}), status: 400, message: /^id is missing$/ },
      { given: () => ({ params: { id: missing } }), status: 404, message: noWorkflow },
    ],
    records: [['workflowCanceled', 'document']],
  },
  'WorkflowTask.Complete': {
    make: documentWithTask,
    given: onTask({ status: 'cancel', comment: 'not now' }),
    answers: () => null,
    needs: {},
    refuses: [
      { given: onTask({}), status: 400, message: /^status is missing$/ },
      { given: onTask({ status: 'odd' }), status: 400, message: /^"odd" is not a button of this task\. / },
      {
        given: onTask({ status: 'start_review', nodeVariables: { odd: 1 } }),
        status: 422,
        message: /^var_SerialDocumentReview:participants: This field is required\.$/,
      },
      { given: () => ({ params: { taskId: missing, status: 'cancel' } }), status: 404, message: /task/i },
    ],
    records: [
      ['afterWorkflowTaskEnded', 'document'],
      ['afterWorkflowFinish', 'document'],
    ],
  },
  'Workflow.ResumeNode': {
    make: documentUnderReview,
    given: inWorkflow({ nodeId: 'Task328d' }, 'workflowId'),
    answers: () => null,
    needs: {},
    who: 'powerusers',
    refuses: [
      { given: inWorkflow({}, 'workflowId'), status: 400, message: /^nodeId is missing$/ },
      {
        given: inWorkflow({ nodeId: 'Task2169' }, 'workflowId'),
        status: 409,
        message: /^nodeId: the workflow .* is at the node Task328d$/,
      },
      {
        given: () => ({ params: { workflowId: missing, nodeId: 'Task328d' } }),
        status: 404,
        message: noWorkflow,
      },
    ],
    records: [
      ['documentSecurityUpdated', 'document'],
      ['afterWorkflowTaskEnded', 'document'],
      ['afterWorkflowTaskCreated', 'document'],
    ],
  },
  'Task.Create': {
    ...usual,
    given: creating({ directive: 'Read it first' }),
    answers: sameDocument,
    needs: { document: ['ReadWrite'] },
    refuses: [
      { given: onDocumentWith({}), status: 400, message: /^task name is missing$/ },
      {
        given: onDocumentWith({ 'task name': 'of none' }),
        status: 400,
        message: /^A task needs at least one actor\.$/,
      },
      {
        given: creating({ 'additional list of actors prefixed ids': ['user:nosuch'] }),
        status: 400,
        message: /^variables.participants: there is no user or group named user:nosuch$/,
      },
      { given: creating({ 'due date': 'soon' }), status: 400, message: /^due date must be a W3C date-time$/ },
      {
        given: creating({ 'accept operation chain': 'No.Such' }),
        status: 404,
        message: /^Operation: No\.Such does not exist\./,
      },
    ],
    records: [
      ['afterWorkflowStarted', 'document'],
      ['afterWorkflowTaskCreated', 'document'],
    ],
  },
  'Context.SetWorkflowVar': {
    make: documentInWorkflow,
    given: inWorkflow({ name: 'initiatorComment', value: 'please' }),
    answers: () => null,
    needs: {},
    who: 'powerusers',
    refuses: [
      { given: inWorkflow({}), status: 400, message: /^name is missing$/ },
      {
        given: inWorkflow({ name: 'odd' }),
        status: 400,
        message: /^name: the workflow model SerialDocumentReview has no variable odd$/,
      },
      {
        given: inWorkflow({ name: 'participants', value: ['user:nosuch'] }),
        status: 400,
        message: /^variables.participants/,
      },
      {
        given: inWorkflow({ name: 'initiatorComment', value: { a: 1 } }),
        status: 400,
        message: /initiatorComment/,
      },
      {
        given: () => ({ params: { workflowInstanceId: missing, name: 'initiatorComment' } }),
        status: 404,
        message: noWorkflow,
      },
    ],
    records: [],
  },
};
