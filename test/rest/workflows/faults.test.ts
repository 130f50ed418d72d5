import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentEntity } from '../../support/factories.ts';
import { start as startServer, type TestServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { reviewing, type TaskEntity, type WorkflowEntity } from './reviewing.ts';

const model = 'SerialDocumentReview';
let server: TestServer;
let flow: ReturnType<typeof reviewing>;
let [file, workflow, task] = [] as unknown as [DocumentEntity, WorkflowEntity, TaskEntity];
beforeAll(async () => {
  server = await startServer({ PUBLIC_URL: 'https://quire.test' });
  flow = reviewing(server);
  for (const user of ['ina', 'ann']) await createUser(server, user);
  file = await flow.fileFor({ ina: 'ReadWrite' });
  workflow = (await flow.start('ina', model, [file.uid]).expect(201)).body;
  task = await flow.only(workflow);
});
afterAll(() => server.stop());

const send = (body: object | string) =>
  flow.agent('ina').post('/api/v1/workflow').set('Content-Type', 'application/json').send(body);

describe('§4.7 what a workflow cannot be started from', () => {
  const right = { 'entity-type': 'workflow', workflowModelName: model };
  test.each<[string, () => object | string, number, string]>([
    ['no JSON', () => '{', 400, 'JSON'],
    ['another entity', () => ({ ...right, 'entity-type': 'task' }), 400, 'workflow'],
    [
      'no model',
      () => ({ 'entity-type': 'workflow', attachedDocumentIds: [file.uid] }),
      400,
      'workflowModel',
    ],
    [
      'an unknown model',
      () => ({ ...right, workflowModelName: 'Nothing', attachedDocumentIds: [file.uid] }),
      400,
      'Nothing',
    ],
    ['no documents', () => right, 400, 'attachedDocumentIds'],
    ['an empty list', () => ({ ...right, attachedDocumentIds: [] }), 400, 'attachedDocumentIds'],
    ['no list', () => ({ ...right, attachedDocumentIds: 'x' }), 400, 'attachedDocumentIds'],
    ['what is no document', () => ({ ...right, attachedDocumentIds: [7] }), 400, 'attachedDocumentIds'],
    ['a missing one', () => ({ ...right, attachedDocumentIds: [randomUUID()] }), 400, 'there is no document'],
    ['what is no id', () => ({ ...right, attachedDocumentIds: ['x'] }), 400, 'there is no document x'],
    ['too many', () => ({ ...right, attachedDocumentIds: Array(101).fill(file.uid) }), 400, 'at most 100'],
    [
      'an unknown variable',
      () => ({ ...right, attachedDocumentIds: [file.uid], variables: { x: 1 } }),
      400,
      'no variable x',
    ],
    [
      'a variable that the workflow keeps',
      () => ({ ...right, attachedDocumentIds: [file.uid], variables: { index: 5 } }),
      400,
      'variables.index',
    ],
  ])('%s', async (_, body, status, words) => {
    const response = await send(body()).expect(status);
    expect(response.body.message).toContain(words);
    const { body: list } = await flow.agent('ina').get('/api/v1/workflow').expect(200);
    expect(list.resultsCount).toBe(1);
  });

  test('a kept variable that is sent as it is says nothing; by its address a document counts alone', async () => {
    const { body } = await flow
      .agent('ina')
      .post(`/api/v1/path${file.path}/@workflow`)
      .send({ ...right, attachedDocumentIds: [randomUUID()], variables: { index: 0, participants: ['ann'] } })
      .expect(201);
    expect(body).toMatchObject({
      attachedDocumentIds: [{ id: file.uid }],
      variables: { index: 0, participants: ['ann'] },
    });
    await flow.agent('ina').delete(`/api/v1/workflow/${body.id}`).expect(204);
  });

  test('an addressed document that is not there is not found', async () => {
    await flow.agent('ina').post(`/api/v1/id/${randomUUID()}/@workflow`).send(right).expect(404);
  });
});

describe('§4.7 how a task cannot be ended', () => {
  const variables = { participants: ['ann'] };
  test.each<[string, string, object, number, string]>([
    ['an unknown action', 'finish', {}, 400, 'cancel, start_review'],
    ['what every object inherits', 'constructor', {}, 400, 'cancel, start_review'],
    ['another task in the body', 'cancel', { id: randomUUID() }, 400, 'the body is of the task'],
    ['another entity', 'cancel', { 'entity-type': 'workflow' }, 400, 'task'],
    ['without what it needs', 'start_review', {}, 400, 'participants'],
    ['nobody', 'start_review', { variables: { participants: [] } }, 400, 'participants'],
    [
      'somebody whom there is not',
      'start_review',
      { variables: { participants: ['ann', 'nix'] } },
      400,
      'nix',
    ],
    ['no list', 'start_review', { variables: { participants: 'ann' } }, 400, 'participants'],
    ['what is no text', 'start_review', { variables: { participants: [{ a: 1 }] } }, 400, 'participants'],
    ['an unknown variable', 'start_review', { variables: { ...variables, x: 1 } }, 400, 'no variable x'],
    ['a variable it has not', 'start_review', { variables: { ...variables, index: 3 } }, 400, 'index'],
    [
      'a value of no vocabulary',
      'start_review',
      { variables: { ...variables, validationOrReview: 'x' } },
      422,
      'WorkflowType',
    ],
    ['variables that are none', 'start_review', { variables: [] }, 400, 'variables'],
    ['a comment that is none', 'cancel', { comment: 7 }, 400, 'comment'],
    ['NUL', 'cancel', { comment: 'a\0b' }, 400, ''],
  ])('%s', async (_, action, more, status, words) => {
    const response = await flow.end('ina', task, action, more).expect(status);
    expect(JSON.stringify(response.body)).toContain(words);
    expect(await flow.only(workflow)).toEqual(task);
  });

  test('one that there is not, one that is ended, one of another document', async () => {
    for (const id of [randomUUID(), 'x', '%00']) {
      await flow.agent('ina').get(`/api/v1/task/${id}`).expect(404);
      await flow.end('ina', { id }, 'cancel', { id: undefined }).expect(404);
      await flow.agent('ina').get(`/api/v1/workflow/${id}`).expect(404);
      await flow.agent('ina').delete(`/api/v1/workflow/${id}`).expect(404);
    }
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const body = { 'entity-type': 'task' };
    await flow.agent('ina').put(`/api/v1/id/${other.uid}/@task/${task.id}/cancel`).send(body).expect(404);
    await flow.agent('ann').put(`/api/v1/id/${file.uid}/@task/${task.id}/cancel`).send(body).expect(403);
    const run = (await flow.start('ina', model, [other.uid]).expect(201)).body;
    const { id } = await flow.only(run);
    await flow.agent('ina').put(`/api/v1/path${other.path}/@task/${id}/cancel`).send(body).expect(200);
    await flow.end('ina', { id }, 'cancel').expect(409);
    await flow.agent('ina').put(`/api/v1/task/${id}/delegate?delegatedActors=ann`).expect(409);
    await flow.agent('ina').delete(`/api/v1/workflow/${run.id}`).expect(409);
  });

  test('what only a reviewer is shown cannot be set by him; sent back as it is, it says nothing', async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const run = await flow.begun('ina', model, other, { participants: ['ann'] });
    const review = await flow.only(run);
    const changed = { ...review.variables, validationOrReview: 'simpleReview' };
    await flow.end('ann', review, 'validate', { variables: changed }).expect(400);
    await flow.end('ann', review, 'validate', { variables: review.variables }).expect(200);
    expect(await flow.state(run)).toBe('done');
  });
});

describe('§4.7 lists', () => {
  test('bad pages are refused, unknown filters find nothing', async () => {
    const agent = flow.agent('ina');
    await agent.get('/api/v1/task?pageSize=-1').expect(400);
    await agent.get('/api/v1/workflow?currentPageIndex=x').expect(400);
    await agent.get('/api/v1/workflow?workflowModelName=%00').expect(400);
    await agent.get('/api/v1/task?userId=%00').expect(400);
    for (const query of ['userId=nobody', 'workflowInstanceId=x', 'workflowModelName=Nothing']) {
      const { body } = await agent.get(`/api/v1/task?${query}`).expect(200);
      expect(body).toMatchObject({ 'entity-type': 'tasks', resultsCount: 0, entries: [] });
    }
  });

  test('tasks come by their dates, page by page', async () => {
    await createUser(server, 'otto');
    const dates = ['2031-01-01T00:00:00.000Z', '2029-01-01T00:00:00.000Z', '2030-01-01T00:00:00.000Z'];
    for (const date of dates) {
      const other = await flow.fileFor({ ina: 'ReadWrite' });
      const variables = { participants: ['otto'], validationOrReview: 'simpleReview', end_date: date };
      await flow.begun('ina', 'ParallelDocumentReview', other, variables);
    }
    const page = async (index: number) =>
      (await flow.agent('otto').get(`/api/v1/task?pageSize=2&currentPageIndex=${index}`).expect(200)).body;
    const [first, second] = [await page(0), await page(1)];
    expect([first.resultsCount, first.numberOfPages, second.currentPageSize]).toEqual([3, 2, 1]);
    const found = [...first.entries, ...second.entries].map(({ dueDate }: TaskEntity) => dueDate);
    expect(found).toEqual(dates.toSorted());
  });
});
