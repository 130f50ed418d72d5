import { beforeAll, describe, expect, test } from '@jest/globals';
import type { DocumentEntity } from '../../support/documents.ts';
import { statements, useServer } from '../../support/server.ts';
import { createGroup, createUser } from '../../support/users.ts';
import { reviewing, type TaskEntity, type WorkflowEntity } from './workflow-requests.ts';

const server = useServer({ PUBLIC_URL: 'https://quire.test', ADMIN_PASSWORD: 'another' });
const flow = reviewing(server);
let [file, workflow, task] = [] as unknown as [DocumentEntity, WorkflowEntity, TaskEntity];

beforeAll(async () => {
  await createGroup(server, 'reviewers');
  for (const user of ['ina', 'ann', 'eve']) await createUser(server, user);
  await createUser(server, 'gus', ['reviewers']);
  file = await flow.fileFor({ ina: 'ReadWrite' });
  workflow = await flow.begun('ina', 'SerialDocumentReview', file, { participants: ['ann'] });
  task = await flow.only(workflow);
  await flow
    .agent('ann')
    .put(`/api/v1/task/${task.id}/delegate`)
    .query({ delegatedActors: 'group:reviewers' })
    .expect(200);
});

const execute = (user: string, name: string, queryParams: readonly string[] = [], more: object = {}) =>
  flow
    .agent(user)
    .get(`/api/v1/search/pp/${name}/execute`)
    .query({ ...(queryParams.length > 0 && { queryParams }), ...more });

async function found(user: string, name: string, ...queryParams: string[]): Promise<string[]> {
  const { body } = await execute(user, name, queryParams).expect(200);
  expect(body).toMatchObject({ 'entity-type': 'tasks', isSortable: false });
  expect(body.resultsCount).toBe(body.entries.length);
  return body.entries.map(({ id }: TaskEntity) => id);
}

describe('§4.7 page providers of tasks', () => {
  test.each(['user_tasks', 'nuxeo_tasks_listing'])('%s finds what the caller may end', async (name) => {
    expect(await found('ann', name)).toEqual([task.id]);
    expect(await found('gus', name)).toEqual([task.id]);
    for (const user of ['ina', 'eve', 'Administrator']) expect(await found(user, name)).toEqual([]);
  });

  test('the entries are tasks, shaped by the headers of tasks', async () => {
    const { body } = await execute('ann', 'user_tasks').set('fetch.task', 'actors').expect(200);
    const single = await flow.agent('ann').get(`/api/v1/task/${task.id}`).set('fetch.task', 'actors');
    expect(body.entries).toEqual([single.body]);
    expect(body.entries[0].actors).toEqual([expect.objectContaining({ 'entity-type': 'user', id: 'ann' })]);
  });

  const yes: Array<[name: string, ...given: Array<() => string>]> = [
    ['GET_TASKS_FOR_ACTORS', () => 'ann'],
    ['GET_TASKS_FOR_ACTORS', () => 'eve', () => 'user:ann'],
    ['GET_TASKS_FOR_ACTORS_OR_DELEGATED_ACTORS', () => 'reviewers'],
    ['GET_TASKS_FOR_ACTORS_OR_DELEGATED_ACTORS', () => 'group:reviewers'],
    ['GET_TASKS_FOR_TARGET_DOCUMENT', () => file.uid],
    ['GET_TASKS_FOR_TARGET_DOCUMENTS', () => file.uid.toUpperCase()],
    ['GET_TASKS_FOR_TARGET_DOCUMENTS_AND_ACTORS', () => file.uid, () => 'eve', () => 'ann'],
    ['GET_TASKS_FOR_TARGET_DOCUMENT_AND_ACTORS_OR_DELEGATED_ACTORS', () => file.uid, () => 'reviewers'],
    ['GET_TASKS_FOR_PROCESS', () => workflow.id],
    ['GET_TASKS_FOR_PROCESS_AND_ACTORS', () => workflow.id, () => 'ann'],
    ['GET_TASKS_FOR_PROCESS_AND_NODE', () => workflow.id, () => task.nodeName],
  ];
  test.each(yes)('%s finds those that the caller may see', async (name, ...given) => {
    const values = given.map((value) => value());
    for (const user of ['ina', 'ann', 'gus', 'Administrator'])
      expect([user, await found(user, name, ...values)]).toEqual([user, [task.id]]);
    expect(await found('eve', name, ...values)).toEqual([]);
  });

  const no: Array<[name: string, ...given: Array<() => string>]> = [
    ['GET_TASKS_FOR_ACTORS', () => 'reviewers'],
    ['GET_TASKS_FOR_ACTORS', () => 'group:ann'],
    ['GET_TASKS_FOR_TARGET_DOCUMENT', () => workflow.id],
    ['GET_TASKS_FOR_TARGET_DOCUMENT', () => 'no-uuid'],
    ['GET_TASKS_FOR_TARGET_DOCUMENT_AND_ACTORS', () => file.uid, () => 'gus'],
    ['GET_TASKS_FOR_PROCESS', () => file.uid],
    ['GET_TASKS_FOR_PROCESS_AND_ACTORS', () => workflow.id, () => 'eve'],
    ['GET_TASKS_FOR_PROCESS_AND_NODE', () => workflow.id, () => 'Task0'],
  ];
  test.each(no)('%s finds no others', async (name, ...given) => {
    expect(await found('Administrator', name, ...given.map((value) => value()))).toEqual([]);
  });

  test('$currentUser is the caller', async () => {
    expect(await found('ann', 'GET_TASKS_FOR_ACTORS', '$currentUser')).toEqual([task.id]);
    expect(await found('ina', 'GET_TASKS_FOR_ACTORS', '$currentUser')).toEqual([]);
  });

  test('@pp gives the document as the first parameter, and needs Read on it', async () => {
    const at = `/api/v1/id/${file.uid}/@pp`;
    const { body } = await flow.agent('ina').get(`${at}/GET_TASKS_FOR_TARGET_DOCUMENT`).expect(200);
    expect(body.entries.map(({ id }: TaskEntity) => id)).toEqual([task.id]);
    const ofActor = await flow
      .agent('ina')
      .get(`${at}/GET_TASKS_FOR_TARGET_DOCUMENT_AND_ACTORS?queryParams=eve`)
      .expect(200);
    expect(ofActor.body.entries).toEqual([]);
    await flow.agent('eve').get(`${at}/GET_TASKS_FOR_TARGET_DOCUMENT`).expect(403);
  });

  test.each([
    ['GET_TASKS_FOR_ACTORS', [], 'requires values for actors; got 0.'],
    ['GET_TASKS_FOR_TARGET_DOCUMENT', [], 'requires values for documentId; got 0.'],
    ['GET_TASKS_FOR_PROCESS_AND_NODE', ['a'], 'requires values for workflowId, nodeName; got 1.'],
  ])('%s answers 400 without its parameters', async (name, given, message) => {
    const { body } = await execute('ann', name, given).expect(400);
    expect(body.message).toBe(`queryParams: ${name} ${message}`);
  });

  test('are paged, with a constant number of statements', async () => {
    const cost = async () => {
      const answer = await execute('ann', 'user_tasks', [], { pageSize: 5 }).expect(200);
      return {
        entries: answer.body.entries.length,
        pages: answer.body.numberOfPages,
        cost: statements(answer),
      };
    };
    const one = await cost();
    for (let index = 0; index < 3; index++) {
      const other = await flow.fileFor({ ina: 'ReadWrite' });
      await flow.begun('ina', 'SerialDocumentReview', other, { participants: ['ann'] });
    }
    expect(await cost()).toEqual({ ...one, entries: 4 });
    const { body } = await execute('ann', 'user_tasks', [], { pageSize: 3, currentPageIndex: 1 });
    expect(body).toMatchObject({ resultsCount: 4, numberOfPages: 2, currentPageSize: 1 });
  });
});
