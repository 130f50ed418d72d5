import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';
import { reviewing, type TaskEntity, type WorkflowEntity } from './workflow-requests.ts';

const model = 'SerialDocumentReview';
const server = useServer({ PUBLIC_URL: 'https://quire.test', ADMIN_PASSWORD: 'another' });
const flow = reviewing(server);
let [file, workflow, task] = [] as unknown as [DocumentEntity, WorkflowEntity, TaskEntity];
beforeAll(async () => {
  await createGroup(server, 'reviewers');
  for (const user of ['ina', 'ann', 'bob', 'rea', 'eve']) await createUser(server, user);
  await createUser(server, 'gus', ['reviewers']);
  await createUser(server, 'pia', ['powerusers']);
  file = await flow.fileFor({ ina: 'ReadWrite', rea: 'Read' });
  workflow = await flow.begun('ina', model, file, { participants: ['ann', 'bob'] });
  task = await flow.only(workflow);
});

/** ina started it; ann answers now and bob later; rea can read the document, eve and pia cannot. */
const seeing: Array<[user: string, ofWorkflow: number, ofTask: number]> = [
  ['Administrator', 200, 200],
  ['ina', 200, 200],
  ['ann', 200, 200],
  ['rea', 200, 403],
  ['bob', 403, 403],
  ['pia', 403, 403],
  ['eve', 403, 403],
];

describe('§4.7 the permission to read workflows and tasks', () => {
  test.each(seeing)('%s gets %i for the workflow and %i for the task', async (user, ofWorkflow, ofTask) => {
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

  test.each(['@task', '@workflow'])('%s of a document requires Read', async (adapter) => {
    await flow.agent('eve').get(`/api/v1/id/${file.uid}/${adapter}`).expect(403);
    await flow.agent('rea').get(`/api/v1/id/${file.uid}/${adapter}`).expect(200);
    await flow.agent('rea').get(`/api/v1/path/no/such/${adapter}`).expect(404);
  });

  test('readers get the workflows of a document, and actors their tasks', async () => {
    const listed = async (user: string, adapter: string) => {
      const { body } = await flow.agent(user).get(`/api/v1/id/${file.uid}/${adapter}`).expect(200);
      return body.entries.map(({ id }: { id: string }) => id);
    };
    expect(await listed('rea', '@workflow')).toEqual([workflow.id]);
    expect(await listed('rea', '@task')).toEqual([]);
    expect(await listed('ann', '@task')).toEqual([task.id]);
    expect(await listed('ina', `@workflow/${workflow.id}/task`)).toEqual([task.id]);
  });

  test('an initiator without Read gets no data of the documents', async () => {
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

  test('GET /workflow lists only the workflows that the user started', async () => {
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

describe('§4.7 the permission to change workflows and tasks', () => {
  test.each(['rea', 'bob', 'pia', 'eve', 'ina'])(
    '%s is no actor and gets 403 for every change of the task',
    async (user) => {
      const { body } = await flow.end(user, task, 'validate').expect(403);
      expect(body.message).toBe(`User with id '${user}' cannot end this task`);
      const agent = flow.agent(user);
      await agent.put(`/api/v1/task/${task.id}/reassign?actors=${user}`).expect(403);
      await agent.put(`/api/v1/task/${task.id}/delegate?delegatedActors=${user}`).expect(403);
      expect(await flow.only(workflow)).toEqual(task);
    },
  );

  test.each(['ann', 'rea', 'bob', 'eve'])('%s cannot cancel the workflow of another user', async (user) => {
    await flow.agent(user).delete(`/api/v1/workflow/${workflow.id}`).expect(403);
    expect(await flow.state(workflow)).toBe('running');
  });

  test.each(['ina', 'pia', 'Administrator'])(
    '%s can cancel a workflow, which ends its tasks and permissions',
    async (user) => {
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
    },
  );

  test('starting a workflow requires ReadWrite on each document', async () => {
    const own = await flow.fileFor({ rea: 'ReadWrite' });
    await flow.start('rea', model, [own.uid, file.uid]).expect(403);
    await flow.start('eve', model, [own.uid]).expect(403);
    expect((await flow.agent('rea').get('/api/v1/workflow').expect(200)).body.entries).toEqual([]);
    const { contextParameters } = await flow.document(own.uid, 'runningWorkflows');
    expect(contextParameters.runningWorkflows).toEqual([]);
  });
});

describe('§4.7 reassigned and delegated tasks', () => {
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

  test('reassigning a task moves its permissions to the new actors', async () => {
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

  test('delegates can end a task, but not pass it on', async () => {
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

  test('names with commas are repeated parameters, not lists', async () => {
    const { running, open } = await begun();
    for (const name of ['cn=bob,ou=x', 'bob']) await createUser(server, `${name},`);
    const [dn, bob] = ['cn=bob,ou=x,', 'bob,'];
    const put = (what: string, query: object) =>
      server.request.put(`/api/v1/task/${open.id}/${what}`).query(query);
    await put('reassign', { actors: dn }).expect(200);
    await put('delegate', { delegatedActors: [bob, `user:${dn}`] }).expect(200);
    expect(await flow.only(running)).toMatchObject({
      actors: [{ id: `user:${dn}` }],
      delegatedActors: [{ id: `user:${bob}` }, { id: `user:${dn}` }],
    });
    const { body } = await put('reassign', { actors: 'ann,bob' }).expect(400);
    expect(body.message).toContain('ann,bob');
  });

  test.each([
    ['a missing actor', 'reassign', '', 400],
    ['an unknown actor', 'reassign', 'actors=nobody', 400],
    ['a missing actor', 'delegate', 'comment=x', 400],
    ['an unknown actor', 'delegate', 'delegatedActors=bob&delegatedActors=group:bob', 400],
  ])('%s is refused for %s, and the task stays unchanged', async (_, what, query, status) => {
    const { running, open } = await begun();
    await flow.agent('ann').put(`/api/v1/task/${open.id}/${what}?${query}`).expect(status);
    expect(await flow.only(running)).toEqual(open);
  });

  test('a task that its model does not allow to be reassigned stays unchanged', async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const { body } = await flow.start('ina', model, [other.uid]).expect(201);
    const { id } = await flow.only(body);
    await flow.agent('ina').put(`/api/v1/task/${id}/reassign?actors=ann`).expect(400);
    await flow.agent('ina').put(`/api/v1/task/${id}/delegate?delegatedActors=ann`).expect(200);
    await flow.end('ann', { id }, 'cancel').expect(200);
    await flow.agent('ina').put(`/api/v1/task/${id}/delegate?delegatedActors=ann`).expect(409);
  });
});
