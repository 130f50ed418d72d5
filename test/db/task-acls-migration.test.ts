import { beforeAll, describe, expect, test } from '@jest/globals';
import { reviewing } from '../rest/workflows/workflow-requests.ts';
import { wrongAcls } from '../store/acls/acl-consistency.ts';
import { deny, grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import { useServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';

const server = useServer();
const flow = reviewing(server);

/** Lets the migration run again on what the test has made. */
async function migrateAgain(): Promise<string[]> {
  const name = /_task_acls$/.source;
  await server.database.prisma.$executeRawUnsafe(
    `DELETE FROM _prisma_migrations WHERE migration_name ~ '${name}'`,
  );
  return server.database.migrate();
}

const aclsOf = async (document: DocumentEntity): Promise<string[]> =>
  (await flow.document(document.uid)).contextParameters.acls.map(({ name }: { name: string }) => name);

const read = (user: string, document: DocumentEntity) => flow.agent(user).get(`/api/v1/id/${document.uid}`);

/** A folder as copied by an earlier build: with the ACLs of an open task of another document. */
async function copyOf(taskId: string) {
  const folder = await createDocument(server, { type: 'Folder' });
  const file = await createDocument(server, { parent: folder.path });
  const apart = await createDocument(server, { parent: folder.path, type: 'Folder' });
  const below = await createDocument(server, { parent: apart.path });
  await setAcl(server, folder.path, [
    grant('ina', 'ReadWrite'),
    { ...grant('cem "the\\\u0007 ü" ', 'Read'), begin: '2026-01-02T03:04:05.000Z' },
    deny('Everyone', 'Everything'),
  ]);
  await setAcl(server, folder.path, [grant('bob', 'ReadWrite')], `delegation/${taskId}`);
  await setAcl(server, folder.path, [grant('ann', 'ReadWrite')], `routing/${taskId}`);
  await setAcl(server, apart.path, [grant('ina', 'Read')]);
  await setAcl(server, below.path, [grant('ann', 'ReadWrite')], `routing/${taskId}`);
  return { folder, file, apart, below };
}

describe('The migration of the ACLs of tasks', () => {
  let reviewed: DocumentEntity;
  let taskId: string;
  beforeAll(async () => {
    for (const user of ['ina', 'ann', 'bob', 'cem "the\\\u0007 ü" ']) await createUser(server, user);
    reviewed = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', 'SerialDocumentReview', reviewed, { participants: ['ann'] });
    taskId = (await flow.only(workflow)).id;
  });

  test('removes them where the task is not about the document, and keeps all other ACLs', async () => {
    const { folder, file, apart, below } = await copyOf(taskId);
    await setAcl(server, file.path, [grant('ann', 'Read')], 'routing/7');
    const tag = { input: file.uid, params: { tags: 'tagged' } };
    await server.request.post('/api/v1/automation/Services.TagDocument').send(tag).expect(200);
    await server.request
      .post('/api/v1/automation/Document.CreateVersion')
      .send({ input: file.uid, params: { increment: 'Minor' } })
      .expect(200);
    for (const document of [folder, below, reviewed]) await read('ann', document).expect(200);

    expect(await migrateAgain()).toEqual([expect.stringMatching(/_task_acls$/)]);
    expect(await aclsOf(folder)).toEqual(['local']);
    expect(await aclsOf(file)).toEqual(['routing/7', 'inherited']);
    expect(await aclsOf(apart)).toEqual(['local', 'inherited']);
    expect(await aclsOf(below)).toEqual(['inherited']);
    expect(await aclsOf(reviewed)).toEqual([`routing/${taskId}`, 'local']);
    for (const user of ['ann', 'bob']) await read(user, folder).expect(403);
    await read('ann', below).expect(403);
    for (const document of [file, reviewed]) await read('ann', document).expect(200);
    for (const document of [folder, file, below]) await read('ina', document).expect(200);
    expect(await wrongAcls(server)).toEqual([]);
    const labels = await server.database.prisma.documentTag.findMany({ where: { label: 'tagged' } });
    const { aclId } = await server.database.prisma.document.findFirstOrThrow({ where: { id: file.uid } });
    expect(labels.filter((label) => label.aclId !== null)).toMatchObject([{ documentId: file.uid, aclId }]);
  });

  test('removes those of a task that has ended', async () => {
    const file = await flow.fileFor({ ina: 'ReadWrite' });
    const workflow = await flow.begun('ina', 'SerialDocumentReview', file, { participants: ['ann'] });
    const { id } = await flow.only(workflow);
    await flow.agent('ina').delete(`/api/v1/workflow/${workflow.id}`).expect(204);
    await setAcl(server, file.path, [grant('ann', 'Read')], `routing/${id}`);
    await migrateAgain();
    expect(await aclsOf(file)).toEqual(['local']);
    expect(await wrongAcls(server)).toEqual([]);
  });

  test('leaves a database without such ACLs as it is', async () => {
    const before = await server.database.prisma.effectiveAcl.count();
    await migrateAgain();
    expect(await server.database.prisma.effectiveAcl.count()).toBe(before);
  });
});
