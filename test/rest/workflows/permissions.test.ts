import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentEntity } from '../../support/factories.ts';
import { start as startServer, type TestServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';
import { reviewing, type TaskEntity, type WorkflowEntity } from './reviewing.ts';

const model = 'SerialDocumentReview';
let server: TestServer;
let flow: ReturnType<typeof reviewing>;
let [file, workflow, task] = [] as unknown as [DocumentEntity, WorkflowEntity, TaskEntity];
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://quire.test' });
  flow = reviewing(server);
  await createGroup(server, 'reviewers');
  for (const user of ['ina', 'ann', 'bob', 'rea', 'eve']) await createUser(server, user);
  await createUser(server, 'gus', ['reviewers']);
  await createUser(server, 'pia', ['powerusers']);
  file = await flow.fileFor({ ina: 'ReadWrite', rea: 'Read' });
  workflow = await flow.begun('ina', model, file, { participants: ['ann', 'bob'] });
  task = await flow.only(workflow);
});
afterAll(() => server.stop());

/** ina started it, ann is to answer, bob later; rea may read the document, eve and pia may not. */
const seeing: Array<[user: string, ofWorkflow: number, ofTask: number]> = [
  ['Administrator', 200, 200],
  ['ina', 200, 200],
  ['ann', 200, 200],
  ['rea', 200, 403],
  ['bob', 403, 403],
  ['pia', 403, 403],
  ['eve', 403, 403],
];

describe('§4.7 who sees a workflow and its tasks', () => {
  test.each(seeing)('%s: the workflow %i, the task %i', async (user, ofWorkflow, ofTask) => {
    const agent = flow.agent(user);
    await agent.get(`/api/v1/workflow/${workflow.id}`).expect(ofWorkflow);
    await agent.get(`/api/v1/workflow/${workflow.id}/graph`).expect(ofWorkflow);
    await agent.get(`/api/v1/task/${task.id}`).expect(ofTask);
    const listed = ofTask === 200 ? [task.id] : [];
    for (const query of [`workflowInstanceId=${workflow.id}`, 'userId=ann', `workflowModelName=${model}`]) {
      const { body } = await agent.get(`/api/v1/task?${query}`).expect(200);
      expect([body.entries.map(({ id }: TaskEntity) => id), body.resultsCount]).toEqual([
        listed,
        listed.length,
      ]);
    }
  });

  test.each(['@task', '@workflow'])('%s of a document is for those who may read it', async (adapter) => {
    await flow.agent('eve').get(`/api/v1/id/${file.uid}/${adapter}`).expect(403);
    await flow.agent('rea').get(`/api/v1/id/${file.uid}/${adapter}`).expect(200);
    await flow.agent('rea').get(`/api/v1/path/no/such/${adapter}`).expect(404);
  });

  test('of a document: readers see what runs, and actors what they are asked', async () => {
    const listed = async (user: string, adapter: string) => {
      const { body } = await flow.agent(user).get(`/api/v1/id/${file.uid}/${adapter}`).expect(200);
      return body.entries.map(({ id }: { id: string }) => id);
    };
    expect(await listed('rea', '@workflow')).toEqual([workflow.id]);
    expect(await listed('rea', '@task')).toEqual([]);
    expect(await listed('ann', '@task')).toEqual([task.id]);
    expect(await listed('ina', `@workflow/${workflow.id}/task`)).toEqual([task.id]);
  });

  test('of the documents, those that the caller may read: an initiator without rights learns nothing of them', async () => {
    const own = await flow.fileFor({ bob: 'ReadWrite' });
    const { body } = await flow.start('bob', model, [own.uid]).expect(201);
    await server.request
      .post('/api/v1/automation/Document.RemoveACL')
      .send({ input: own.uid, params: { acl: 'local' } })
      .expect(200);
    const seen = await flow.agent('bob').get(`/api/v1/workflow/${body.id}`).expect(200);
    expect(seen.body.attachedDocumentIds).toEqual([]);
    const { id } = await flow.only(body);
    const wish = flow.agent('bob').get(`/api/v1/task/${id}`).set('fetch.task', 'targetDocumentIds');
    expect((await wish.expect(200)).body.targetDocumentIds).toEqual([]);
    await flow.agent('bob').delete(`/api/v1/workflow/${body.id}`).expect(204);
  });

  test('GET /workflow lists what the caller started, and nothing else', async () => {
    const listed = async (user: string, query = '') =>
      (await flow.agent(user).get(`/api/v1/workflow${query}`).expect(200)).body;
    expect(await listed('ina')).toMatchObject({
      'entity-type': 'workflows',
      resultsCount: 1,
      entries: [{ 'entity-type': 'workflow', id: workflow.id }],
    });
    expect((await listed('ina', `?workflowModelName=${model}`)).entries).toHaveLength(1);
    expect((await listed('ina', '?workflowModelName=ParallelDocumentReview')).entries).toEqual([]);
    for (const user of ['ann', 'rea', 'Administrator']) expect((await listed(user)).entries).toEqual([]);
  });
});

describe('§4.7 who may do what', () => {
  test.each(['rea', 'bob', 'pia', 'eve', 'ina'])(
    '%s is no actor: 403 for all that actors do',
    async (user) => {
      const { body } = await flow.end(user, task, 'validate').expect(403);
      expect(body.message).toBe(`User with id '${user}' cannot end this task`);
      const agent = flow.agent(user);
      await agent.put(`/api/v1/task/${task.id}/reassign?actors=${user}`).expect(403);
      await agent.put(`/api/v1/task/${task.id}/delegate?delegatedActors=${user}`).expect(403);
      expect(await flow.only(workflow)).toEqual(task);
    },
  );

  test.each(['ann', 'rea', 'bob', 'eve'])('%s may not cancel what somebody else started', async (user) => {
    await flow.agent(user).delete(`/api/v1/workflow/${workflow.id}`).expect(403);
    expect(await flow.state(workflow)).toBe('running');
  });

  test.each(['ina', 'pia', 'Administrator'])('%s may cancel it: tasks and rights end', async (user) => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const running = await flow.begun('ina', model, other, { participants: ['ann'] });
    const { id } = await flow.only(running);
    await flow.agent(user).delete(`/api/v1/workflow/${running.id}`).expect(204);
    expect(await flow.state(running)).toBe('canceled');
    const { body } = await server.request.get(`/api/v1/task/${id}`).expect(200);
    expect(body).toMatchObject({ state: 'cancelled', workflowLifeCycleState: 'canceled' });
    await flow.agent('ann').get(`/api/v1/id/${other.uid}`).expect(403);
    await flow.agent(user).delete(`/api/v1/workflow/${running.id}`).expect(409);
    await flow.end('ann', { id }, 'validate').expect(409);
  });

  test('starting one needs ReadWrite on each document', async () => {
    const own = await flow.fileFor({ rea: 'ReadWrite' });
    await flow.start('rea', model, [own.uid, file.uid]).expect(403);
    await flow.start('eve', model, [own.uid]).expect(403);
    expect((await flow.agent('rea').get('/api/v1/workflow').expect(200)).body.entries).toEqual([]);
    const { contextParameters } = await flow.document(own.uid, 'runningWorkflows');
    expect(contextParameters.runningWorkflows).toEqual([]);
  });
});

describe('§4.7 others in the place of actors', () => {
  const begun = async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const running = await flow.begun('ina', model, other, { participants: ['ann'] });
    return { other, running, open: await flow.only(running) };
  };
  const acls = async ({ uid }: DocumentEntity) =>
    (await flow.document(uid)).contextParameters.acls.map(
      ({ name, aces }: { name: string; aces: Array<{ username: string }> }) => [
        name,
        aces.map(({ username }) => username),
      ],
    );

  test('reassigned: the rights go with it, and whoever had it has it no more', async () => {
    const { other, running, open } = await begun();
    const response = await flow
      .agent('ann')
      .put(`/api/v1/task/${open.id}/reassign?actors=bob&actors=group:reviewers&comment=please`)
      .expect(200);
    expect(response.text).toBe('');
    const after = await flow.only(running);
    expect(after.actors).toEqual([{ id: 'user:bob' }, { id: 'group:reviewers' }]);
    expect(after.comments).toEqual([{ author: 'ann', text: 'please', date: expect.any(String) }]);
    expect((await acls(other))[0]).toEqual([`routing/${open.id}`, ['bob', 'reviewers']]);
    await flow.end('ann', open, 'validate').expect(403);
    await flow.end('gus', open, 'validate').expect(200);
    expect((await acls(other))[0]?.[0]).toBe('local');
  });

  test('delegated: others may end it too, and pass it on to nobody', async () => {
    const { other, running, open } = await begun();
    await flow.agent('ann').put(`/api/v1/task/${open.id}/delegate?delegatedActors=bob`).expect(200);
    expect(await flow.only(running)).toMatchObject({
      actors: [{ id: 'user:ann' }],
      delegatedActors: [{ id: 'user:bob' }],
    });
    expect((await acls(other)).slice(0, 2)).toEqual(
      expect.arrayContaining([
        [`routing/${open.id}`, ['ann']],
        [`delegation/${open.id}`, ['bob']],
      ]),
    );
    await flow.agent('bob').put(`/api/v1/task/${open.id}/delegate?delegatedActors=eve`).expect(403);
    await flow.agent('bob').put(`/api/v1/task/${open.id}/reassign?actors=eve`).expect(403);
    await flow.agent('bob').get(`/api/v1/task/${open.id}`).expect(200);
    await flow.end('bob', open, 'validate').expect(200);
    expect((await acls(other))[0]?.[0]).toBe('local');
    await flow.agent('bob').get(`/api/v1/id/${other.uid}`).expect(403);
  });

  test.each([
    ['nobody', 'reassign', '', 400],
    ['somebody whom there is not', 'reassign', 'actors=nobody', 400],
    ['nobody', 'delegate', 'comment=x', 400],
    ['somebody whom there is not', 'delegate', 'delegatedActors=bob&delegatedActors=group:bob', 400],
  ])('%s cannot be put there (%s)', async (_, what, query, status) => {
    const { running, open } = await begun();
    await flow.agent('ann').put(`/api/v1/task/${open.id}/${what}?${query}`).expect(status);
    expect(await flow.only(running)).toEqual(open);
  });

  test('a task whose model does not let it be reassigned stays whose it is', async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const { body } = await flow.start('ina', model, [other.uid]).expect(201);
    const { id } = await flow.only(body);
    await flow.agent('ina').put(`/api/v1/task/${id}/reassign?actors=ann`).expect(400);
    await flow.agent('ina').put(`/api/v1/task/${id}/delegate?delegatedActors=ann`).expect(200);
    await flow.end('ann', { id }, 'cancel').expect(200);
    await flow.agent('ina').put(`/api/v1/task/${id}/delegate?delegatedActors=ann`).expect(409);
  });
});
