import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { reviewing } from '../rest/workflows/reviewing.ts';
import { createDocument } from '../support/factories.ts';
import { start, type TestServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';
import { call } from './calls.ts';

let server: TestServer;
let flow: ReturnType<typeof reviewing>;
beforeAll(async () => {
  server = await start();
  flow = reviewing(server);
  await createUser(server, 'ina');
});
afterAll(() => server.stop());

const model = 'SerialDocumentReview';
const running = async (uid: string) =>
  (await flow.document(uid, 'runningWorkflows')).contextParameters.runningWorkflows;

// §4.7
describe('Context.StartWorkflow', () => {
  test('answers the input, on which it has started a workflow', async () => {
    const { uid } = await createDocument(server);
    const params = { id: model, start: 'true', variables: { initiatorComment: 'please' } };
    const { body } = await call(server.request, 'Context.StartWorkflow', { input: uid, params }).expect(200);
    expect(body).toMatchObject({ 'entity-type': 'document', uid });
    expect(await running(uid)).toMatchObject([
      { name: model, attachedDocumentIds: [{ id: uid }], variables: { initiatorComment: 'please' } },
    ]);
  });

  test('answers a list, about all of which one workflow is', async () => {
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
    ['an unknown variable', { id: model, variables: { x: 1 } }, 400],
  ])('refuses %s: nothing is started', async (_, params, status) => {
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
