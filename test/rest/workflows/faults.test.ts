import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentEntity } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { reviewing, type TaskEntity, type WorkflowEntity } from './workflow-requests.ts';

const model = 'SerialDocumentReview';
const server = useServer({ PUBLIC_URL: 'https://quire.test', ADMIN_PASSWORD: 'another' });
const flow = reviewing(server);
let [file, workflow, task] = [] as unknown as [DocumentEntity, WorkflowEntity, TaskEntity];
beforeAll(async () => {
  for (const user of ['ina', 'ann']) await createUser(server, user);
  file = await flow.fileFor({ ina: 'ReadWrite' });
  workflow = (await flow.start('ina', model, [file.uid]).expect(201)).body;
  task = await flow.only(workflow);
});

const send = (body: object | string) =>
  flow.agent('ina').post('/api/v1/workflow').set('Content-Type', 'application/json').send(body);

describe('§4.7 starting a workflow', () => {
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
    ['no list', () => ({ ...right, attachedDocumentIds: { a: 1 } }), 400, 'attachedDocumentIds'],
    [
      'a missing document as text',
      () => ({ ...right, attachedDocumentIds: 'x' }),
      400,
      'There is no document with the id x.',
    ],
    ['an invalid document id', () => ({ ...right, attachedDocumentIds: [7] }), 400, 'attachedDocumentIds'],
    [
      'a missing document',
      () => ({ ...right, attachedDocumentIds: [randomUUID()] }),
      400,
      'attachedDocumentIds: There is no document with the id',
    ],
    [
      'a malformed document id',
      () => ({ ...right, attachedDocumentIds: ['x'] }),
      400,
      'attachedDocumentIds: There is no document with the id x.',
    ],
    ['too many', () => ({ ...right, attachedDocumentIds: Array(101).fill(file.uid) }), 400, 'at most 100'],
    [
      'a variable that the workflow keeps',
      () => ({ ...right, attachedDocumentIds: [file.uid], variables: { index: 5 } }),
      400,
      'variables.index',
    ],
  ])('answers an error for %s', async (_, body, status, words) => {
    const response = await send(body()).expect(status);
    expect(response.body.message).toContain(words);
    const { body: list } = await flow.agent('ina').get('/api/v1/workflow').expect(200);
    expect(list.resultsCount).toBe(1);
  });

  test('ignores unknown variables, unless the caller asks to refuse them', async () => {
    const [own, variables] = [await flow.fileFor({ ina: 'ReadWrite' }), { x: 1, participants: ['ann'] }];
    const body = { ...right, attachedDocumentIds: own.uid, variables };
    const refused = await send(body).set('Prefer', 'handling=strict').expect(400);
    expect(refused.body.message).toContain('no variable x');
    const { body: started } = await send(body).expect(201);
    expect(started.variables).toMatchObject({ participants: ['ann'] });
    expect(started.variables).not.toHaveProperty('x');
    const first = await flow.only(started);
    const end = () => flow.end('ina', first, 'start_review', { variables });
    expect((await end().set('Prefer', 'handling=strict').expect(400)).body.message).toContain(
      'no variable x',
    );
    // Also by a button that leaves the variables as they are.
    const cancel = flow.end('ina', first, 'cancel', { variables }).set('Prefer', 'handling=strict');
    expect((await cancel.expect(400)).body.message).toContain('no variable x');
    await end().expect(200);
  });

  test('accepts an unchanged variable, and uses only the document of the URL', async () => {
    const another = await flow.fileFor({ ina: 'ReadWrite' });
    const { body } = await flow
      .agent('ina')
      .post(`/api/v1/path${another.path}/@workflow`)
      .send({ ...right, attachedDocumentIds: [randomUUID()], variables: { index: 0, participants: ['ann'] } })
      .expect(201);
    expect(body).toMatchObject({
      attachedDocumentIds: [{ id: another.uid }],
      variables: { index: 0, participants: ['ann'] },
    });
    await flow.agent('ina').delete(`/api/v1/workflow/${body.id}`).expect(204);
  });

  test('answers 404 for a missing document in the URL', async () => {
    await flow.agent('ina').post(`/api/v1/id/${randomUUID()}/@workflow`).send(right).expect(404);
  });
});

describe('§4.7 ending a task', () => {
  const variables = { participants: ['ann'] };
  test.each<[string, string, object, number, string]>([
    ['an unknown action', 'finish', {}, 400, 'cancel, start_review'],
    ['an inherited JavaScript property as action', 'constructor', {}, 400, 'cancel, start_review'],
    ['another task in the body', 'cancel', { id: randomUUID() }, 400, 'id must be the id of the task'],
    ['another entity', 'cancel', { 'entity-type': 'workflow' }, 400, 'task'],
    ['a missing required variable', 'start_review', {}, 422, 'participants'],
    [
      'an empty list of participants',
      'start_review',
      { variables: { participants: [] } },
      422,
      'participants',
    ],
    ['an unknown participant', 'start_review', { variables: { participants: ['ann', 'nix'] } }, 400, 'nix'],
    ['no list', 'start_review', { variables: { participants: 'ann' } }, 400, 'participants'],
    [
      'a participant that is no text',
      'start_review',
      { variables: { participants: [{ a: 1 }] } },
      400,
      'participants',
    ],
    ['a read-only variable', 'start_review', { variables: { ...variables, index: 3 } }, 400, 'index'],
    [
      'a value that is not in the vocabulary',
      'start_review',
      { variables: { ...variables, validationOrReview: 'x' } },
      422,
      'WorkflowType',
    ],
    ['invalid variables', 'start_review', { variables: [] }, 400, 'variables'],
    ['an invalid comment', 'cancel', { comment: 7 }, 400, 'comment'],
    ['NUL', 'cancel', { comment: 'a\0b' }, 400, ''],
  ])('answers an error and keeps the task for %s', async (_, action, more, status, words) => {
    const response = await flow.end('ina', task, action, more).expect(status);
    expect(JSON.stringify(response.body)).toContain(words);
    expect(await flow.only(workflow)).toEqual(task);
  });

  test('names each missing variable in a validation report, in the language of the request', async () => {
    const { body } = await flow.end('ina', task, 'start_review').set('Accept-Language', 'fr').expect(422);
    expect(body).toMatchObject({
      'entity-type': 'validation_report',
      number: 1,
      violations: [
        {
          message: 'Ce champ est obligatoire.',
          invalid_value: null,
          constraint: { name: 'NotNullConstraint', parameters: {} },
          path: [{ field_name: expect.stringMatching(/:participants$/), is_list_item: false }],
        },
      ],
    });
  });

  test('answers an error for a missing task, an ended one and one of another document', async () => {
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

  test('answers an error when a reviewer changes a read-only variable; unchanged ones are ignored', async () => {
    const other = await flow.fileFor({ ina: 'ReadWrite' });
    const run = await flow.begun('ina', model, other, { participants: ['ann'] });
    const review = await flow.only(run);
    const changed = { ...review.variables, validationOrReview: 'simpleReview' };
    await flow.end('ann', review, 'validate', { variables: changed }).expect(400);
    await flow.end('ann', review, 'validate', { variables: review.variables }).expect(200);
    expect(await flow.state(run)).toBe('done');
  });
});

describe('§4.7 lists of tasks and workflows', () => {
  test('answer 400 for invalid pages, and are empty for unknown filters', async () => {
    const agent = flow.agent('ina');
    await agent.get('/api/v1/task?pageSize=-2').expect(400);
    await agent.get('/api/v1/workflow?currentPageIndex=x').expect(400);
    await agent.get('/api/v1/workflow?workflowModelName=%00').expect(400);
    await agent.get('/api/v1/task?userId=%00').expect(400);
    for (const query of ['userId=nobody', 'workflowInstanceId=x', 'workflowModelName=Nothing']) {
      const { body } = await agent.get(`/api/v1/task?${query}`).expect(200);
      expect(body).toMatchObject({ 'entity-type': 'tasks', resultsCount: 0, entries: [] });
    }
  });

  test('sort tasks by their due dates across pages', async () => {
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
