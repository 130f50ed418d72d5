import { beforeAll, describe, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';
import { reviewing } from './workflow-requests.ts';

const model = 'SerialDocumentReview';
const server = useServer();
const flow = reviewing(server);
beforeAll(async () => {
  await createGroup(server, 'reviewers');
  await createUser(server, 'ina');
  await createUser(server, 'ann');
  await createUser(server, 'bob');
  await createUser(server, 'gus', ['reviewers']);
});

const reviewers = { participants: ['user:ann', 'bob'], validationOrReview: 'validation' };

describe('§4.7 SerialDocumentReview', () => {
  test('starts with a task for its initiator', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flow.start('ina', model, [file.uid]).expect(201);
    expect(workflow).toEqual({
      'entity-type': 'workflow',
      id: expect.any(String),
      name: model,
      title: 'wf.serialDocumentReview.SerialDocumentReview',
      state: 'running',
      workflowModelName: model,
      initiator: 'ina',
      attachedDocumentIds: [{ id: file.uid }],
      variables: { participants: [], index: 0, validationOrReview: 'validation', initiatorComment: null },
      graphResource: expect.stringMatching(new RegExp(`/api/v1/repo/default/workflow/${workflow.id}/graph$`)),
    });
    const { id } = await flow.only(workflow);
    const { body: task } = await flow.agent('ina').get(`/api/v1/task/${id}`).expect(200);
    expect(task).toEqual({
      'entity-type': 'task',
      id,
      name: 'wf.serialDocumentReview.chooseParticipants',
      workflowInstanceId: workflow.id,
      workflowModelName: model,
      workflowInitiator: 'ina',
      workflowTitle: 'wf.serialDocumentReview.SerialDocumentReview',
      workflowLifeCycleState: 'running',
      graphResource: expect.stringMatching(new RegExp(`/workflow/${workflow.id}/graph$`)),
      state: 'opened',
      directive: 'wf.serialDocumentReview.pleaseSelect',
      created: expect.any(String),
      dueDate: new Date(Date.parse(task.created) + 5 * 86_400_000).toISOString(),
      nodeName: 'Task38e',
      targetDocumentIds: [{ id: file.uid }],
      actors: [{ id: 'user:ina' }],
      delegatedActors: [],
      comments: [],
      variables: { participants: [], validationOrReview: 'validation', initiatorComment: null },
      taskInfo: {
        allowTaskReassignment: false,
        taskActions: ['cancel', 'start_review'].map((name) => ({
          name,
          url: expect.stringMatching(new RegExp(`/api/v1/repo/default/task/${id}/${name}$`)),
          label: `wf.serialDocumentReview.${name === 'cancel' ? 'cancel' : 'startReview'}`,
          validate: name === 'start_review',
        })),
        layoutResource: { name: `${model}@Task38e`, url: null },
        schemas: [
          { name: `var_${model}`, url: expect.stringMatching(/\/api\/v1\/config\/schemas\/var_Serial/) },
        ],
      },
    });
  });

  test('gives each participant in turn permissions until the task ends, and approves the document', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', model, file, reviewers);
    await flow.agent('bob').get(`/api/v1/id/${file.uid}`).expect(403);
    const first = await flow.only(workflow);
    expect(first).toMatchObject({ nodeName: 'Task6d8', actors: [{ id: 'user:ann' }] });
    expect(first).toHaveProperty('taskInfo.taskActions', [
      expect.objectContaining({ name: 'reject', label: 'wf.serialDocumentReview.Reject' }),
      expect.objectContaining({ name: 'validate', label: 'wf.serialDocumentReview.Validate' }),
    ]);
    const { contextParameters } = await flow.document(file.uid);
    expect(contextParameters.acls[0]).toEqual({
      name: `routing/${first.id}`,
      aces: [expect.objectContaining({ username: 'ann', permission: 'ReadWrite', creator: 'Workflow' })],
    });
    expect(contextParameters.acls[1].name).toBe('local');
    const ended = await flow.end('ann', first, 'validate', { comment: 'fine' }).expect(200);
    expect(ended.body).toMatchObject({
      state: 'ended',
      comments: [{ author: 'ann', text: 'fine', date: expect.any(String) }],
      variables: reviewers,
    });
    await flow.agent('ann').get(`/api/v1/id/${file.uid}`).expect(403);
    await flow.agent('bob').get(`/api/v1/id/${file.uid}`).expect(200);
    expect(await flow.state(workflow)).toBe('running');

    const last = await flow.end('bob', await flow.only(workflow), 'validate').expect(200);
    expect(last.body.workflowLifeCycleState).toBe('done');
    expect(await flow.open(workflow)).toEqual([]);
    expect(await flow.state(workflow)).toBe('done');
    const after = await flow.document(file.uid);
    expect(after).toMatchObject({ state: 'approved', isCheckedOut: false });
    expect(after.properties).toMatchObject({ 'uid:major_version': 0, 'uid:minor_version': 1 });
    expect(after.contextParameters.acls[0].name).toBe('local');
    await flow.agent('bob').get(`/api/v1/id/${file.uid}`).expect(403);
  });

  test('leaves the document unchanged in a simple review', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const settings = { participants: ['ann'], validationOrReview: 'simpleReview' };
    const workflow = await flow.begun('ina', model, file, settings);
    await flow.end('ann', await flow.only(workflow), 'validate').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect(await flow.document(file.uid)).toMatchObject({ state: 'project', isCheckedOut: true });
  });

  test('returns to the previous participant on rejection, and finally to the initiator', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', model, file, reviewers);
    await flow.end('ann', await flow.only(workflow), 'validate').expect(200);
    await flow.end('bob', await flow.only(workflow), 'reject').expect(200);
    const again = await flow.only(workflow);
    expect(again.actors).toEqual([{ id: 'user:ann' }]);
    await flow.end('ann', again, 'reject').expect(200);
    const update = await flow.only(workflow);
    expect(update).toMatchObject({ nodeName: 'Task542', actors: [{ id: 'user:ina' }] });
    const variables = { participants: ['group:reviewers'], initiatorComment: 'once more' };
    await flow.end('ina', update, 'submit', { variables }).expect(200);
    const task = await flow.only(workflow);
    expect(task).toMatchObject({ actors: [{ id: 'group:reviewers' }], variables });
    await flow.end('gus', task, 'validate').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect(await flow.document(file.uid)).toMatchObject({ state: 'approved' });
  });

  test.each([
    ['at the beginning', []],
    ['after it was rejected', ['start_review', 'reject']],
  ])('can be canceled by the initiator %s, without variables', async (_, actions) => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flow
      .start('ina', model, [file.uid], { participants: ['ina'] })
      .expect(201);
    for (const action of actions) await flow.end('ina', await flow.only(workflow), action).expect(200);
    await flow.end('ina', await flow.only(workflow), 'cancel').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect(await flow.document(file.uid)).toMatchObject({ state: 'project' });
  });

  test('creates the version of a document that was approved in the meantime', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', model, file, { participants: ['ann'] });
    await server.request
      .post('/api/v1/automation/Document.FollowLifecycleTransition')
      .send({ input: file.uid, params: { value: 'approve' } })
      .expect(200);
    await flow.end('ann', await flow.only(workflow), 'validate').expect(200);
    expect(await flow.document(file.uid)).toMatchObject({ state: 'approved', isCheckedOut: false });
  });

  test('handles several documents together', async () => {
    const files = [
      await flow.fileFor({ ina: 'ReadWrite' }),
      await flow.fileFor({ ina: 'ReadWrite' }, 'Note'),
    ];
    const ids = files.map(({ uid }) => uid);
    const { body: workflow } = await flow
      .start('ina', model, [{ id: ids[0] }, ids[1]], { participants: ['ann'] })
      .expect(201);
    await flow.end('ina', await flow.only(workflow), 'start_review').expect(200);
    for (const uid of ids) await flow.agent('ann').get(`/api/v1/id/${uid}`).expect(200);
    await flow.end('ann', await flow.only(workflow), 'validate').expect(200);
    for (const uid of ids) {
      expect(await flow.document(uid)).toMatchObject({ state: 'approved', isCheckedOut: false });
      await flow.agent('ann').get(`/api/v1/id/${uid}`).expect(403);
    }
  });
});
