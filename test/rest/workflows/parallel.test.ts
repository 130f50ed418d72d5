import { describe, expect, test } from '@jest/globals';
import { useServer } from '../../support/server.ts';
import { createUser, useUsers } from '../../support/users.ts';
import { reviewing, type TaskEntity } from './workflow-requests.ts';

const model = 'ParallelDocumentReview';
const server = useServer();
const flow = reviewing(server);
useUsers(server, 'ina', 'ann', 'bob', 'cid');

const settings = {
  participants: ['user:ann', 'user:bob', 'ann'],
  validationOrReview: 'validation',
  end_date: '2030-01-02T03:04:05.000Z',
};

const of = (user: string, tasks: readonly TaskEntity[]): TaskEntity => {
  const found = tasks.find(({ actors }) => actors[0]?.id === `user:${user}`);
  if (!found) throw new Error(`${user} has no task`);
  return found;
};

/** Starts a workflow whose participants have all answered. */
async function answered() {
  const file = await flow.fileFor({ ina: 'ReadWrite' });
  const workflow = await flow.begun('ina', model, file, settings);
  const tasks = await flow.open(workflow);
  await flow.end('bob', of('bob', tasks), 'reject', { comment: 'too long' }).expect(200);
  await flow.end('ann', of('ann', tasks), 'approve').expect(200);
  return { file, workflow };
}

const lockOf = async (uid: string) =>
  (await server.request.get(`/api/v1/id/${uid}`).set('fetch.document', 'lock').expect(200)).body.lockOwner;

describe('§4.7 ParallelDocumentReview', () => {
  test('locks the document at its start and unlocks it when it is canceled', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flow.start('ina', model, [file.uid]).expect(201);
    expect(await lockOf(file.uid)).toBe('ina');
    const task = await flow.only(workflow);
    expect(task).toMatchObject({ nodeName: 'Task2556', actors: [{ id: 'user:ina' }] });
    expect(task.dueDate).toBe(new Date(Date.parse(task.created) + 86_400_000).toISOString());
    await flow.end('ina', task, 'cancel').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect(await lockOf(file.uid)).toBeUndefined();
  });

  test('asks each participant once at the same time, and ends their permissions with their answers', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', model, file, settings);
    const tasks = await flow.open(workflow);
    expect(tasks.map(({ nodeName, dueDate, actors }) => [nodeName, dueDate, actors])).toEqual([
      ['Task328d', settings.end_date, [{ id: expect.stringMatching(/^user:(ann|bob)$/) }]],
      ['Task328d', settings.end_date, [{ id: expect.stringMatching(/^user:(ann|bob)$/) }]],
    ]);
    await flow.agent('ann').get(`/api/v1/id/${file.uid}`).expect(200);
    const { contextParameters } = await flow.document(file.uid);
    expect(contextParameters.acls.slice(0, 2).map(({ aces }: { aces: unknown[] }) => aces)).toEqual([
      [expect.objectContaining({ permission: 'Read' })],
      [expect.objectContaining({ permission: 'Read' })],
    ]);
    const first = await flow.end('bob', of('bob', tasks), 'NA', { comment: 'away' }).expect(200);
    expect(first.body.workflowLifeCycleState).toBe('running');
    expect(first.body.variables.review_result).toEqual([
      { participant: 'bob', result: 'NA', comment: 'away' },
    ]);
    await flow.agent('bob').get(`/api/v1/id/${file.uid}`).expect(403);
    expect((await flow.open(workflow)).map(({ id }) => id)).toEqual([of('ann', tasks).id]);
  });

  test('takes back the variables that were read before another participant answered', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const participants = ['user:ann', 'user:bob', 'user:cid'];
    const workflow = await flow.begun('ina', model, file, { ...settings, participants });
    const tasks = await flow.open(workflow);
    const [ann, bob, cid] = ['ann', 'bob', 'cid'].map((user) => of(user, tasks)) as [
      TaskEntity,
      TaskEntity,
      TaskEntity,
    ];
    expect(bob.variables.review_result).toEqual([]);
    await flow.end('ann', ann, 'approve', { variables: ann.variables }).expect(200);
    const { variables } = (await flow.open(workflow))[0] as TaskEntity;
    await flow.end('bob', bob, 'reject', { variables: bob.variables, comment: 'no' }).expect(200);
    const [first] = variables.review_result as object[];
    for (const forged of [
      { ...variables, review_result: [{ ...first, result: 'reject' }] },
      { ...variables, review_result: [first, first] },
      { ...variables, review_result: [first, first, first] },
      { ...variables, participants: ['user:cid'] },
      { ...variables, review_result_file: { name: 'a', data: 'b' } },
    ])
      await flow.end('cid', cid, 'approve', { variables: forged }).expect(400);
    await flow.end('cid', cid, 'approve', { variables }).expect(200);
    const last = await flow.only(workflow);
    const results = last.variables.review_result as Array<{ participant: string; result: string }>;
    expect(results.map(({ participant, result }) => [participant, result])).toEqual([
      ['ann', 'approve'],
      ['bob', 'reject'],
      ['cid', 'approve'],
    ]);
    await flow.end('ina', last, 'reject', { variables: last.variables }).expect(200);
  });

  test('lets the initiator validate: the document is approved, versioned and unlocked', async () => {
    const { file, workflow } = await answered();
    const task = await flow.only(workflow);
    expect(task).toMatchObject({ nodeName: 'Task2169', actors: [{ id: 'user:ina' }] });
    expect(task.variables.review_result).toEqual([
      { participant: 'bob', result: 'reject', comment: 'too long' },
      { participant: 'ann', result: 'approve', comment: null },
    ]);
    await flow.end('ina', task, 'validate').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    const after = await flow.document(file.uid);
    expect(after).toMatchObject({ state: 'approved', isCheckedOut: false });
    expect(after.contextParameters.acls[0].name).toBe('local');
    expect(await lockOf(file.uid)).toBeUndefined();
  });

  test('leaves a rejected document unchanged and unlocks it', async () => {
    const { file, workflow } = await answered();
    await flow.end('ina', await flow.only(workflow), 'reject').expect(200);
    expect(await flow.state(workflow)).toBe('done');
    expect(await flow.document(file.uid)).toMatchObject({ state: 'project', isCheckedOut: true });
    expect(await lockOf(file.uid)).toBeUndefined();
  });

  test('keeps the lock of another user when it ends', async () => {
    const { file, workflow } = await answered();
    for (const operation of ['Document.Unlock', 'Document.Lock'])
      await server.request.post(`/api/v1/automation/${operation}`).send({ input: file.uid }).expect(200);
    await flow.end('ina', await flow.only(workflow), 'reject').expect(200);
    expect(await lockOf(file.uid)).toBe('Administrator');
  });
});

test('§4.7 a parallel review costs the same number of SQL statements for 20 participants as for 2', async () => {
  const cost = async (participants: readonly string[]): Promise<number> => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const { body: workflow } = await flow.start('ina', model, [file.uid]).expect(201);
    const variables = { ...settings, participants };
    const response = await flow
      .end('ina', await flow.only(workflow), 'start_review', { variables })
      .expect(200);
    return Number(/desc="(\d+)"/.exec(String(response.headers['server-timing']))?.[1]);
  };
  const many = Array.from({ length: 20 }, (_, index) => `reviewer-${index}`);
  for (const user of many) await createUser(server, user);
  for (const participants of [many, ['ann', 'bob']]) await cost(participants); // their ACLs are known from then on
  expect(await cost(many)).toBe(await cost(['ann', 'bob']));
});
