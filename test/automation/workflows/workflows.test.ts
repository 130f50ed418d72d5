import { beforeAll, describe, expect, test } from '@jest/globals';
import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { statements, useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';

const server = useServer();
let flow: ReturnType<typeof reviewing>;
beforeAll(async () => {
  flow = reviewing(server);
  await createUser(server, 'ina');
});

const model = 'SerialDocumentReview';
const running = async (uid: string) =>
  (await flow.document(uid, 'runningWorkflows')).contextParameters.runningWorkflows;

// §4.7
describe('Context.StartWorkflow', () => {
  test('starts a workflow on the input and returns the input', async () => {
    const { uid } = await createDocument(server);
    const params = { id: model, start: 'true', variables: { initiatorComment: 'please' } };
    const { body } = await call(server.request, 'Context.StartWorkflow', { input: uid, params }).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid });
    expect(await running(uid)).toMatchObject([
      { name: model, attachedDocumentIds: [{ id: uid }], variables: { initiatorComment: 'please' } },
    ]);
  });

  test('starts one workflow for all documents of a list', async () => {
    const uids = [(await createDocument(server)).uid, (await createDocument(server)).uid];
    const given = { input: uids, params: { id: model } };
    const { body } = await call(server.request, 'Context.StartWorkflow', given).expect(200);
    expect(body.entries.map(({ uid }: { uid: string }) => uid)).toEqual(uids);
    const [first] = await running(uids[0] ?? '');
    expect(first.attachedDocumentIds).toEqual(uids.map((id) => ({ id })));
    expect((await running(uids[1] ?? ''))[0].id).toBe(first.id);
  });

  test.each<[string, Record<string, unknown>, number]>([
    ['an unknown model', { id: 'Nothing' }, 400],
    ['no model', {}, 400],
    ['not started', { id: model, start: false }, 400],
  ])('refuses %s and starts nothing', async (_, params, status) => {
    const { uid } = await createDocument(server);
    await call(server.request, 'Context.StartWorkflow', { input: uid, params }).expect(status);
    expect(await running(uid)).toEqual([]);
  });

  test('needs ReadWrite on the input', async () => {
    const { uid } = await flow.fileFor({ ina: 'Read' });
    const given = { input: uid, params: { id: model } };
    await call(flow.agent('ina'), 'Context.StartWorkflow', given).expect(403);
  });
});

// §4.7
describe("'Task.GetAssigned'", () => {
  test('answers with the tasks of the caller as JSON, with the title of their document', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    await flow.start('ina', model, [file.uid]).expect(201);
    const { body } = await call(flow.agent('ina'), 'Task.GetAssigned', {}).expect(200);
    expect(body).toContainEqual({
      id: expect.any(String),
      docref: file.uid,
      name: expect.any(String),
      taskName: expect.any(String),
      directive: expect.any(String),
      comment: '',
      documentTitle: expect.any(String),
      dueDate: expect.any(String),
      startDate: expect.any(String),
      expired: false,
    });
    expect((await call(flow.agent('ina'), 'Workflow.GetTask', {}).expect(200)).body).toEqual(body);
  });

  test('needs no permission, and has no tasks of others', async () => {
    await createUser(server, 'idle');
    const { body } = await call(flow.agent('idle'), 'Task.GetAssigned', {}).expect(200);
    expect(body).toEqual([]);
  });

  test('answers with as many statements for many tasks as for one', async () => {
    await createUser(server, 'busy');
    const count = async () => statements(await call(flow.agent('busy'), 'Task.GetAssigned', {}).expect(200));
    const begin = async () => {
      const file = await flow.fileFor({ busy: 'ReadWrite' });
      await flow.start('busy', model, [file.uid]).expect(201);
    };
    await begin();
    await count(); // what the process remembers
    const one = await count();
    for (let more = 0; more < 4; more += 1) await begin();
    expect(await count()).toBe(one);
  });

  test('refuses unknown parameters in strict requests', async () => {
    const strict = call(server.request, 'Task.GetAssigned', { params: { odd: 1 } });
    await strict.set('Prefer', 'handling=strict').expect(400);
  });
});

// §4.7
describe('Context.SetWorkflowVar', () => {
  test('sets a variable, and unsets it without a value', async () => {
    const { uid } = await createDocument(server);
    const { body: workflow } = await flow.start('Administrator', model, [uid]).expect(201);
    const set = (value?: string) =>
      call(server.request, 'Context.SetWorkflowVar', {
        params: { workflowInstanceId: workflow.id, name: 'initiatorComment', value },
      }).expect(204);
    await set('soon');
    expect((await running(uid))[0].variables).toMatchObject({ initiatorComment: 'soon' });
    await set();
    expect((await running(uid))[0].variables.initiatorComment ?? null).toBeNull();
  });
});
