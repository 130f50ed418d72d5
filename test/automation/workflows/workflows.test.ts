import { beforeAll, describe, expect, test } from '@jest/globals';
import { reviewing } from '../../rest/workflows/workflow-requests.ts';
import { createDocument } from '../../support/documents.ts';
import { call } from '../../support/requests.ts';
import { useServer } from '../../support/server.ts';
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
