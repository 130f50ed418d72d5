import { beforeAll, describe, expect, test } from '@jest/globals';
import { wrongAcls } from '../../store/acls/acl-consistency.ts';
import { setAcl } from '../../support/acls.ts';
import { createDocument, type DocumentEntity, workspaces } from '../../support/documents.ts';
import { useServer } from '../../support/server.ts';
import { createUser } from '../../support/users.ts';
import { reviewing, type WorkflowEntity } from './workflow-requests.ts';

const server = useServer();
const flow = reviewing(server);
let [file, workflow] = [] as unknown as [DocumentEntity, WorkflowEntity];
beforeAll(async () => {
  for (const user of ['ina', 'ann', 'bob']) await createUser(server, user);
  file = await flow.fileFor({ ina: 'ReadWrite' });
  workflow = await flow.begun('ina', 'SerialDocumentReview', file, { participants: ['ann'] });
  const { id } = await flow.only(workflow);
  await flow.agent('ann').put(`/api/v1/task/${id}/delegate?delegatedActors=bob`).expect(200);
});

const operation = async (name: string, input: string, params: object): Promise<DocumentEntity> =>
  (await server.request.post(`/api/v1/automation/${name}`).send({ input, params }).expect(200)).body;

const aclNames = async (uid: string): Promise<string[]> =>
  (await flow.document(uid)).contextParameters.acls.map(({ name }: { name: string }) => name);

const expectStatus = async (uid: string, status: number): Promise<void> => {
  for (const user of ['ann', 'bob']) await flow.agent(user).get(`/api/v1/id/${uid}`).expect(status);
};

describe('§4.7 the permissions of a task', () => {
  test('let its actors and delegates read the document and its versions until the task ends', async () => {
    await expectStatus(file.uid, 200);
  });

  test('are not copied with the document, whose other permissions are', async () => {
    const target = await createDocument(server, { type: 'Folder' });
    await setAcl(server, target.path, [{ username: 'Everyone', permission: 'Everything', granted: false }]);
    const copy = await operation('Document.Copy', file.uid, { target: target.uid });
    expect(await aclNames(copy.uid)).toEqual(['local']);
    await expectStatus(copy.uid, 403);
    await flow.agent('ina').get(`/api/v1/id/${copy.uid}`).expect(200);
  });

  test('are not copied with a folder above the document', async () => {
    const folder = await createDocument(server, { type: 'Folder' });
    await setAcl(server, folder.path, [{ username: 'Everyone', permission: 'Everything', granted: false }]);
    const inside = await createDocument(server, { parent: folder.path });
    const started = await flow.start('Administrator', 'SerialDocumentReview', [inside.uid]).expect(201);
    const first = await flow.only(started.body);
    await flow
      .end('Administrator', first, 'start_review', { variables: { participants: ['ann'] } })
      .expect(200);
    await flow.agent('ann').get(`/api/v1/id/${inside.uid}`).expect(200);

    const copy = await operation('Document.Copy', folder.uid, { target: workspaces });
    const { body } = await server.request.get(`/api/v1/path${copy.path}/${inside.name}`).expect(200);
    expect(await aclNames(body.uid)).toEqual(['inherited']);
    await flow.agent('ann').get(`/api/v1/id/${body.uid}`).expect(403);
  });

  test('are part of no version and no publication, and no restored version brings them back', async () => {
    const section = await createDocument(server, { type: 'Section', parent: '/default-domain/sections' });
    await setAcl(server, section.path, [{ username: 'Everyone', permission: 'Everything', granted: false }]);
    const version = await operation('Document.CreateVersion', file.uid, { increment: 'Minor' });
    const proxy = await operation('Document.PublishToSection', file.uid, { target: section.uid });
    await expectStatus(proxy.uid, 403);

    const { body } = await server.request
      .post('/api/v1/automation/Document.GetVersions')
      .send({ input: file.uid })
      .expect(200);
    const ids: string[] = body.entries.map(({ uid }: DocumentEntity) => uid);
    expect([version.uid, ids.length]).toEqual([file.uid, 1]);
    await expectStatus(ids[0] ?? '', 200);
    await flow.agent('ina').delete(`/api/v1/workflow/${workflow.id}`).expect(204);
    for (const id of [file.uid, ...ids]) await expectStatus(id, 403);
    await operation('Document.RestoreVersion', ids[0] ?? '', {});
    for (const id of [file.uid, ...ids]) await expectStatus(id, 403);
    expect(await aclNames(file.uid)).toEqual(['local']);
  });

  test('leave every effective ACL what its document has and inherits', async () => {
    expect(await wrongAcls(server)).toEqual([]);
  });
});
