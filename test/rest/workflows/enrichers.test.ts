import { beforeAll, describe, expect, test } from '@jest/globals';
import { createDocument, type DocumentEntity, updateDocument } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { createGroup, createUser, deleteUser } from '../../support/users.ts';
import { reviewing, type TaskEntity, type WorkflowEntity } from './workflow-requests.ts';

const model = 'SerialDocumentReview';
const server = useServer();
const flow = reviewing(server);
beforeAll(async () => {
  await createGroup(server, 'reviewers');
  for (const user of ['ina', 'ann', 'rea']) await createUser(server, user);
  await createUser(server, 'gus', ['reviewers']);
});

/** Returns what an enricher contains for a user. */
async function said(user: string, { uid }: DocumentEntity, enricher: string, headers = {}) {
  const wish = { 'enrichers.document': enricher, ...headers };
  const { body } = await flow.agent(user).get(`/api/v1/id/${uid}`).set(wish).expect(200);
  return body.contextParameters[enricher];
}

const names = async (user: string, document: DocumentEntity): Promise<string[]> =>
  (await said(user, document, 'runnableWorkflows')).map(({ name }: DocumentEntity) => name).sort();

const both = ['ParallelDocumentReview', 'SerialDocumentReview'];

const call = (operation: string, input: string, params = {}) =>
  server.request.post(`/api/v1/automation/${operation}`).send({ input, params });

describe('§4.9 the enricher runnableWorkflows', () => {
  test('contains documents of type DocumentRoute in a hidden folder', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    expect(await names('ina', file)).toEqual(both);
    const [first] = await said('ina', file, 'runnableWorkflows', { properties: 'dublincore' });
    expect(first).toMatchObject({
      'entity-type': 'document',
      type: 'DocumentRoute',
      path: `/document-route-models-root/${first.name}`,
      workflowModelName: first.name,
      title: first.properties['dc:title'],
      properties: {
        'dc:title': `wf.${first.name.replace(/^./, (c: string) => c.toLowerCase())}.${first.name}`,
      },
    });
    const route = { type: 'DocumentRoute', parent: '/default-domain/workspaces' };
    const { path } = await createDocument(server, route);
    expect((await server.request.get(`/api/v1/path${path}`).expect(200)).body).not.toHaveProperty(
      'workflowModelName',
    );
    const { body } = await server.request.get('/api/v1/path/@children').expect(200);
    expect(body.entries.map(({ name }: DocumentEntity) => name)).not.toContain('document-route-models-root');
  });

  test('is empty without ReadWrite', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite', rea: 'Read' });
    expect(await names('rea', file)).toEqual([]);
  });

  test('leaves out a model that runs on the document, which cannot be started again until it ends', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite', ann: 'ReadWrite' });
    const { body: started } = await flow.start('ina', model, [file.uid]).expect(201);
    expect(await names('ann', file)).toEqual(['ParallelDocumentReview']);
    const { body } = await flow.start('ann', model, [file.uid]).expect(409);
    expect(body.message).toBe(
      `${model} is already running on ${file.path}. End or cancel it before you start it again.`,
    );
    const other = await flow.fileFor({ ann: 'ReadWrite' });
    await flow.start('ann', model, [other.uid, file.uid]).expect(409);
    await flow.start('ann', 'ParallelDocumentReview', [file.uid]).expect(201);
    await flow.agent('ina').delete(`/api/v1/workflow/${started.id}`).expect(204);
    await flow.start('ann', model, [file.uid]).expect(201);
  });

  test('is started once by ten requests at the same time', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const answers = await Promise.all(Array.from({ length: 10 }, () => flow.start('ina', model, [file.uid])));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('is restricted for locked, approved, trashed and versioned documents and other types', async () => {
    const locked = await createDocument(server);
    await call('Document.Lock', locked.uid).expect(200);
    expect(await names('Administrator', locked)).toEqual(['SerialDocumentReview']);
    const approved = await createDocument(server);
    await call('Document.FollowLifecycleTransition', approved.uid, { value: 'approve' }).expect(200);
    expect(await names('Administrator', approved)).toEqual([]);
    const trashed = await createDocument(server);
    await call('Document.Trash', trashed.uid).expect(200);
    expect(await names('Administrator', trashed)).toEqual([]);
    expect(await names('Administrator', await createDocument(server, { type: 'Folder' }))).toEqual([]);
    const { body: version } = await server.request
      .put(`/api/v1/id/${(await createDocument(server)).uid}`)
      .set('X-Versioning-Option', 'MINOR')
      .send({ 'entity-type': 'document' })
      .expect(200);
    expect(version.isVersion).toBe(true);
    expect(await names('Administrator', version)).toEqual([]);
    for (const { uid } of [approved, trashed, version])
      expect((await flow.start('Administrator', model, [uid]).expect(400)).body.message).toContain(uid);
    await flow.start('Administrator', 'ParallelDocumentReview', [locked.uid]).expect(400);
    await flow.start('Administrator', model, [locked.uid]).expect(201);
  });

  test('costs the same number of SQL statements for 20 documents as for 2', async () => {
    const cost = async (size: number): Promise<number> => {
      const folder = await createDocument(server, { type: 'Folder' });
      for (let index = 0; index < size; index += 1) await createDocument(server, { parent: folder.path });
      const page = () =>
        server.request
          .get(`/api/v1/id/${folder.uid}/@children`)
          .set('enrichers.document', 'runnableWorkflows')
          .expect(200);
      await page();
      return statements(await page());
    };
    expect(await cost(20)).toBe(await cost(2));
  });
});

describe('§4.9 the enrichers pendingTasks and runningWorkflows', () => {
  let file: DocumentEntity;
  let [workflow, task] = [] as unknown as [WorkflowEntity, TaskEntity];
  beforeAll(async () => {
    file = await flow.fileFor({ ina: 'ReadWrite', rea: 'Read' });
    workflow = await flow.begun('ina', model, file, { participants: ['group:reviewers'] });
    task = await flow.only(workflow);
  });

  test.each([
    ['gus', 1],
    ['ina', 0],
    ['Administrator', 0],
  ])('return the tasks of the user and what the user takes part in: %s has %i tasks', async (user, count) => {
    const pending = await said(user, file, 'pendingTasks');
    expect(pending.map(({ id }: TaskEntity) => id)).toEqual([task.id].slice(0, count));
    const [running, ...others] = await said(user, file, 'runningWorkflows');
    expect([running.id, others]).toEqual([workflow.id, []]);
    const { body } = await flow.agent(user).get(`/api/v1/workflow/${workflow.id}`).expect(200);
    expect(running).toEqual({ ...body, graphResource: running.graphResource });
  });

  test('are empty for a user who can read the document and has no part in the workflow', async () => {
    expect(await said('rea', file, 'pendingTasks')).toEqual([]);
    expect(await said('rea', file, 'runningWorkflows')).toEqual([]);
  });

  test('still show a workflow to a user whose task has ended, and to a delegate', async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite', ann: 'Read', rea: 'Read', gus: 'Read' });
    const started = await flow.begun('ina', model, other, { participants: ['user:ann', 'user:rea'] });
    const first = await flow.only(started);
    const delegate = server.request.put(`/api/v1/task/${first.id}/delegate`);
    await delegate.query({ delegatedActors: ['gus'] }).expect(200);
    await flow.end('ann', first, 'validate', { variables: {} }).expect(200);
    for (const user of ['ann', 'gus', 'ina'])
      expect((await said(user, other, 'runningWorkflows')).map(({ id }: WorkflowEntity) => id)).toEqual([
        started.id,
      ]);
  });

  test('are empty for a user who can write but not read', async () => {
    const hidden = await flow.fileFor({ ina: 'ReadWrite', rea: 'WriteProperties' });
    await flow.start('ina', model, [hidden.uid]).expect(201);
    const { body } = await updateDocument(
      flow.agent('rea'),
      hidden.uid,
      { 'dc:title': 'x' },
      { 'enrichers.document': 'pendingTasks,runningWorkflows,runnableWorkflows' },
    ).expect(200);
    expect(body.contextParameters).toEqual({
      pendingTasks: [],
      runningWorkflows: [],
      runnableWorkflows: [],
    });
  });

  test('omit workflows and tasks that have ended', async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const { body } = await flow.start('ina', model, [other.uid]).expect(201);
    expect(await said('ina', other, 'pendingTasks')).toHaveLength(1);
    await flow.agent('ina').delete(`/api/v1/workflow/${body.id}`).expect(204);
    expect(await said('ina', other, 'pendingTasks')).toEqual([]);
    expect(await said('ina', other, 'runningWorkflows')).toEqual([]);
  });
});

describe('§10.2 fetch.task, and fetch.workflow', () => {
  test('replace ids by users, groups and documents; ids of deleted ones stay', async () => {
    await createUser(server, 'ulf');
    const file = await flow.fileFor({ ulf: 'ReadWrite' });
    const { body: workflow } = await flow.start('ulf', model, [file.uid]).expect(201);
    const { id } = await flow.only(workflow);
    const put = flow.agent('ulf').put(`/api/v1/task/${id}/delegate`);
    await put.query({ delegatedActors: ['group:reviewers', 'ann'] }).expect(200);
    const names = 'workflowInitiator,targetDocumentIds,actors';
    const read = async () =>
      (await server.request.get(`/api/v1/task/${id}`).set('fetch.task', names).expect(200)).body;
    const task = await read();
    expect(task).toMatchObject({
      workflowInitiator: { 'entity-type': 'user', id: 'ulf' },
      targetDocumentIds: [{ 'entity-type': 'document', uid: file.uid, properties: expect.any(Object) }],
      actors: [{ 'entity-type': 'user', id: 'ulf' }],
      delegatedActors: [
        { 'entity-type': 'group', id: 'reviewers' },
        { 'entity-type': 'user', id: 'ann', properties: expect.any(Object) },
      ],
    });
    const fetched = { 'fetch.workflow': 'initiator,attachedDocumentIds' };
    const { body } = await server.request.get(`/api/v1/workflow/${workflow.id}`).set(fetched).expect(200);
    expect(body).toMatchObject({
      initiator: { 'entity-type': 'user', id: 'ulf' },
      attachedDocumentIds: [{ 'entity-type': 'document', uid: file.uid }],
    });
    await deleteUser(server, 'ulf');
    expect(await read()).toMatchObject({ workflowInitiator: 'ulf', actors: [{ id: 'user:ulf' }] });
  });
});

describe('§9 depth, and tasks of documents', () => {
  test('root leaves ids in them, children has the documents and users that they name', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flow.start('ina', model, [file.uid]).expect(201);
    const { id } = await flow.only(workflow);
    const fetched = {
      'fetch.task': 'targetDocumentIds,actors',
      'fetch.workflow': 'attachedDocumentIds',
      properties: 'dublincore',
    };
    const of = async (enricher: string, depth: string) =>
      (await said('ina', file, enricher, { ...fetched, depth }))[0];
    const plain = { targetDocumentIds: [{ id: file.uid }], actors: [{ id: 'user:ina' }] };
    expect(await of('pendingTasks', 'root')).toMatchObject({ id, ...plain });
    expect(await of('runningWorkflows', 'root')).toMatchObject({ attachedDocumentIds: [{ id: file.uid }] });
    const document = { 'entity-type': 'document', uid: file.uid, properties: expect.any(Object) };
    expect(await of('pendingTasks', 'children')).toMatchObject({
      targetDocumentIds: [document],
      actors: [{ 'entity-type': 'user', id: 'ina' }],
    });
    expect(await of('runningWorkflows', 'children')).toMatchObject({ attachedDocumentIds: [document] });
    // The task itself is level 0.
    const alone = server.request.get(`/api/v1/task/${id}`).set({ ...fetched, depth: 'root' });
    const [{ properties, ...inside }] = (await alone.expect(200)).body.targetDocumentIds;
    expect([properties, inside]).toEqual([undefined, expect.objectContaining({ uid: file.uid })]);
  });
});

describe('§4.7 workflow models', () => {
  test('are listed as workflows that have not started', async () => {
    const { body } = await flow.agent('rea').get('/api/v1/workflowModel').expect(200);
    expect(body).toMatchObject({ 'entity-type': 'workflows', resultsCount: 2 });
    expect(body.entries.map(({ name }: DocumentEntity) => name).sort()).toEqual(both);
    const one = await flow.agent('rea').get(`/api/v1/workflowModel/${model}`).expect(200);
    expect(one.body).toMatchObject({
      'entity-type': 'workflow',
      name: model,
      state: 'validated',
      initiator: null,
      attachedDocumentIds: [],
      workflowModelName: model,
      graphResource: expect.stringMatching(/\/workflowModel\/SerialDocumentReview\/graph$/),
    });
    await flow.agent('rea').get('/api/v1/workflowModel/Nothing').expect(404);
    await flow.agent('rea').get('/api/v1/workflowModel/Nothing/graph').expect(404);
  });

  test('have graphs, like workflows, whose graphs contain their state', async () => {
    const { body: graph } = await flow.agent('rea').get(`/api/v1/workflowModel/${model}/graph`).expect(200);
    expect(graph['entity-type']).toBe('graph');
    expect(graph.nodes.find(({ id }: { id: string }) => id === 'Task38e')).toEqual({
      x: 50,
      y: 50,
      id: 'Task38e',
      title: 'Choose participants',
      state: 'ready',
      isStartNode: true,
      isEndNode: false,
      isForkNode: false,
      isMerge: false,
      isMultiTask: false,
      hasSubWorkflow: false,
    });
    const ids = new Set(graph.nodes.map(({ id }: { id: string }) => id));
    for (const { nodeSourceId, nodeTargetId, label, path } of graph.transitions) {
      expect([ids.has(nodeSourceId), ids.has(nodeTargetId)]).toEqual([true, true]);
      expect([typeof label, path]).toEqual(['string', []]);
    }
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body } = await flow.start('ina', model, [file.uid]).expect(201);
    const own = await flow.agent('ina').get(`/api/v1/workflow/${body.id}/graph`).expect(200);
    const current = own.body.nodes.filter(({ state }: { state: string }) => state === 'suspended');
    expect(current).toMatchObject([{ id: 'Task38e' }]);
  });
});
