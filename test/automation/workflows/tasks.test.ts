import { beforeAll, describe, expect, test } from '@jest/globals';
import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import { createDocument } from '../../support/documents.ts';
import { askGraphql, call, exception } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

const server = useServer(
  {},
  {
    chains: [
      {
        name: 'approveIt',
        operations: [{ id: 'Document.FollowLifecycleTransition', params: { value: 'approve' } }],
      },
    ],
  },
);
let flow: ReturnType<typeof reviewing>;
beforeAll(async () => {
  flow = reviewing(server);
  for (const name of ['ina', 'otto']) await createUser(server, name);
});

const actorsOf = 'additional list of actors prefixed ids';

interface ShownTask {
  readonly id: string;
  readonly name: string;
}

async function create(uid: string, params: Record<string, unknown>, user = 'Administrator') {
  const given = { input: uid, params: { 'task name': 'Check it', [actorsOf]: ['user:ina'], ...params } };
  await call(flow.agent(user), 'Task.Create', given).expect(200);
  return openTasks(uid);
}

async function openTasks(uid: string, params: Record<string, unknown> = {}, user = 'Administrator') {
  const { body } = await call(flow.agent(user), 'Workflow.GetOpenTasks', { input: uid, params }).expect(200);
  return body as ShownTask[];
}

async function stateOf(id: string): Promise<unknown> {
  const query = 'query ($id: ID!) { document(id: $id) { state lockOwner } }';
  return askGraphql(server.request, query, { id });
}

const only = ([task, ...others]: readonly ShownTask[]): ShownTask => {
  if (!task || others.length > 0) throw new Error(`${others.length + (task ? 1 : 0)} tasks are open`);
  return task;
};

// §4.7
describe('Task.Create', () => {
  test('creates a task with its texts, its date and its comment, which its actor ends', async () => {
    const { uid } = await flow.fileFor({ ina: 'Read' });
    const due = '2031-05-06T07:08:09.000Z';
    const texts = { directive: 'Read it first', comment: 'by tomorrow', 'due date': due };
    const { id } = only(await create(uid, texts));
    const { body } = await flow.agent('ina').get(`/api/v1/task/${id}`).expect(200);
    expect(body).toMatchObject({
      'entity-type': 'task',
      name: 'Check it',
      directive: 'Read it first',
      dueDate: due,
      state: 'opened',
      actors: [{ id: 'user:ina' }],
      targetDocumentIds: [{ id: uid }],
      comments: [{ author: 'Administrator', text: 'by tomorrow' }],
      workflowModelName: 'SingleTask',
      taskInfo: { taskActions: [{ name: 'accept' }, { name: 'reject' }], allowTaskReassignment: true },
    });
    await flow.end('ina', { id }, 'accept').expect(200);
    expect(await openTasks(uid)).toEqual([]);
    expect((await server.request.get(`/api/v1/workflow/${body.workflowInstanceId}`)).body.state).toBe('done');
  });

  test('creates one task for each actor, or one for all of them', async () => {
    const { uid } = await createDocument(server);
    const both = { [actorsOf]: ['user:ina', 'otto'] };
    const tasks = await create(uid, both);
    expect(tasks.length).toBe(2);
    for (const { id } of tasks) await flow.end('Administrator', { id }, 'reject').expect(200);
    const { id } = only(await create(uid, { ...both, 'create one task per actor': 'false' }));
    expect((await server.request.get(`/api/v1/task/${id}`).expect(200)).body.actors).toMatchObject([
      { id: 'user:ina' },
      { id: 'user:otto' },
    ]);
  });

  test('takes the actors of a variable', async () => {
    const { uid } = await createDocument(server);
    const params = { 'task name': 'Check it', 'variable name for actors prefixed ids': 'people' };
    const given = (people: unknown) => ({ input: uid, params, context: { people } });
    await call(server.request, 'Task.Create', given(['user:otto'])).expect(200);
    only(await openTasks(uid, { username: 'otto' }));
    const { body } = await call(server.request, 'Task.Create', given({ a: 1 })).expect(400);
    expect(body.message).toBe('variable name for actors prefixed ids: people must be a list of strings.');
  });

  test.each([
    ['accept', { state: 'approved', lockOwner: null }],
    ['reject', { state: 'project', lockOwner: 'ina' }],
  ])('runs what the button %s names, on the document', async (button, expected) => {
    const { uid } = await flow.fileFor({ ina: 'Everything' });
    const named = { 'accept operation chain': 'approveIt', 'reject operation chain': 'Document.Lock' };
    const { id } = only(await create(uid, named));
    await flow.end('ina', { id }, button).expect(200);
    expect(await stateOf(uid)).toEqual({ document: expected });
  });

  test('leaves the task open when its chain fails for the user who ends it', async () => {
    const { uid } = await flow.fileFor({ ina: 'Read' });
    const { id } = only(await create(uid, { 'accept operation chain': 'Document.Lock' }));
    await flow.end('ina', { id }, 'accept').expect(403);
    expect(only(await openTasks(uid)).id).toBe(id);
    const completed = { params: { taskId: id, status: 'accept' } };
    await call(flow.agent('ina'), 'WorkflowTask.Complete', completed).expect(403);
    await call(server.request, 'WorkflowTask.Complete', completed).expect(204);
    expect(await stateOf(uid)).toMatchObject({ document: { lockOwner: 'Administrator' } });
  });

  test('lets only administrators name a chain, or change it', async () => {
    const { uid } = await flow.fileFor({ ina: 'ReadWrite' });
    const params = { 'task name': 'x', [actorsOf]: ['ina'], 'reject operation chain': 'Document.Lock' };
    const { body } = await call(flow.agent('ina'), 'Task.Create', { input: uid, params }).expect(403);
    expect(body.message).toBe(
      'reject operation chain: only administrators can specify an operation or a chain.',
    );
    const { id } = only(await create(uid, {}, 'ina'));
    const task = (await flow.agent('ina').get(`/api/v1/task/${id}`).expect(200)).body;
    const change = {
      workflowInstanceId: task.workflowInstanceId,
      name: 'acceptChain',
      value: 'Document.Lock',
    };
    await call(flow.agent('ina'), 'Context.SetWorkflowVar', { params: change }).expect(400);
    await call(server.request, 'Context.SetWorkflowVar', { params: change }).expect(204);
  });

  test('is about a workflow that clients neither see among the models nor start', async () => {
    const { uid } = await createDocument(server);
    const models = (await server.request.get('/api/v1/workflowModel').expect(200)).body.entries;
    expect(models.map(({ name }: { name: string }) => name)).not.toContain('SingleTask');
    await server.request.get('/api/v1/workflowModel/SingleTask').expect(404);
    const { body } = await flow.start('Administrator', 'SingleTask', [uid]).expect(400);
    expect(body).toMatchObject(exception(400, 'workflowModelName: No route found for id: SingleTask'));
    await call(server.request, 'Context.StartWorkflow', { input: uid, params: { id: 'SingleTask' } }).expect(
      400,
    );
  });

  test('is in GraphQL', async () => {
    const { uid } = await createDocument(server);
    const query = `mutation { taskCreate(input: { document: "${uid}" }, task_name: "Check it", additional_list_of_actors_prefixed_ids: ["user:ina"]) { __typename } }`;
    await askGraphql(server.request, query);
    expect(only(await openTasks(uid)).name).toBe('Check it');
  });
});

// §4.7
describe("'Workflow.GetOpenTasks'", () => {
  test('answers with the open tasks of the document, of a node, of a workflow, and of a user', async () => {
    const { uid } = await createDocument(server);
    const { id } = only(await create(uid, {}));
    const { body } = await server.request.get(`/api/v1/task/${id}`).expect(200);
    expect(only(await openTasks(uid, { nodeId: 'each' }))).toMatchObject({
      id,
      name: 'Check it',
      docref: uid,
    });
    expect(only(await openTasks(uid, { processId: body.workflowInstanceId })).id).toBe(id);
    expect(only(await openTasks(uid, { username: 'ina' })).id).toBe(id);
    for (const none of [{ nodeId: 'x' }, { processId: uid }, { processId: 'x' }, { username: 'otto' }])
      expect(await openTasks(uid, none)).toEqual([]);
    const alias = await call(server.request, 'Context.GetOpenTasks', { input: uid }).expect(200);
    expect(alias.body).toEqual(await openTasks(uid));
  });

  test('needs Read, and has no tasks that the caller may not see', async () => {
    const { uid } = await flow.fileFor({ ina: 'Read', otto: 'Read' });
    await create(uid, {});
    expect(await openTasks(uid, {}, 'otto')).toEqual([]);
    only(await openTasks(uid, {}, 'ina'));
    const closed = await flow.fileFor({ ina: 'Read' });
    await call(flow.agent('otto'), 'Workflow.GetOpenTasks', { input: closed.uid }).expect(403);
  });

  test('refuses a missing input and an unknown document', async () => {
    await call(server.request, 'Workflow.GetOpenTasks', {}).expect(400);
    await call(server.request, 'Workflow.GetOpenTasks', { input: '/nosuch' }).expect(404);
  });

  test('costs as many statements for many tasks as for one', async () => {
    const { uid } = await createDocument(server);
    const cost = async () =>
      statements(await call(server.request, 'Workflow.GetOpenTasks', { input: uid }).expect(200));
    await create(uid, {});
    const one = await cost();
    for (let more = 0; more < 4; more += 1) await create(uid, {});
    expect(await cost()).toBe(one);
  });
});

// §4.7
describe("'Context.GetTaskNames'", () => {
  test('answers with the names of the tasks of the models that may be started', async () => {
    const { body } = await call(server.request, 'Context.GetTaskNames', {}).expect(200);
    const name = 'wf.serialDocumentReview.chooseParticipants';
    expect(body).toContainEqual({ id: name, label: name });
    expect(body).toContainEqual(expect.objectContaining({ id: 'wf.parallelDocumentReview.giveOpinion' }));
  });

  test('needs no permission', async () => {
    const { body } = await call(flow.agent('otto'), 'Context.GetTaskNames', {}).expect(200);
    expect(body.length).toBeGreaterThan(4);
  });

  test('refuses unknown parameters in strict requests', async () => {
    const strict = call(server.request, 'Context.GetTaskNames', { params: { odd: 1 } });
    await strict.set('Prefer', 'handling=strict').expect(400);
  });
});

// §4.7
describe('Workflow.ResumeNode', () => {
  test('cancels the tasks of the node, takes their permissions away, and goes on', async () => {
    const file = await flow.fileFor({});
    const variables = { participants: ['user:ina', 'user:otto'], validationOrReview: 'simpleReview' };
    const workflow = await flow.begun('Administrator', 'ParallelDocumentReview', file, variables);
    const tasks = await flow.open(workflow);
    await flow.agent('ina').get(`/api/v1/id/${file.uid}`).expect(200);
    const params = { workflowId: workflow.id, nodeId: 'Task328d' };
    await call(server.request, 'Workflow.ResumeNode', { params }).expect(204);
    for (const { id } of tasks)
      expect((await server.request.get(`/api/v1/task/${id}`).expect(200)).body.state).toBe('cancelled');
    await flow.agent('ina').get(`/api/v1/id/${file.uid}`).expect(403);
    expect((await flow.only(workflow)).nodeName).toBe('Task2169');
  });

  test('is a conflict where only buttons lead on, at another node, and after the end', async () => {
    const { uid } = await createDocument(server);
    const { body } = await flow.start('Administrator', 'SerialDocumentReview', [uid]).expect(201);
    const resume = (nodeId: string) =>
      call(server.request, 'Workflow.ResumeNode', { params: { workflowId: body.id, nodeId } }).expect(409);
    expect((await resume('Task38e')).body.message).toBe(
      'nodeId: the workflow can only leave Task38e through a button of its task',
    );
    await resume('Task6d8');
    await call(server.request, 'Context.CancelWorkflow', { params: { id: body.id } }).expect(204);
    await resume('Task38e');
  });
});
