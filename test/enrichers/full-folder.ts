import { randomUUID } from 'node:crypto';
import { grant, setAcl } from '../support/acls.ts';
import { createDocument, type DocumentEntity } from '../support/documents.ts';
import type { TestServer } from '../support/server.ts';
import { createUser } from '../support/users.ts';

let count = 0;

/** Writes a workflow on a document to the database directly, with a task for all kinds of actors. */
async function layWorkflow({ database }: TestServer, documentId: string, somebody: string): Promise<void> {
  const [repository, workflowId] = ['default', randomUUID()];
  const { workflow, workflowDocument, task } = database.prisma;
  await workflow.create({
    data: {
      repository,
      id: workflowId,
      model: 'SerialDocumentReview',
      initiator: somebody,
      node: 'Task6d8',
      variables: { participants: [somebody] },
    },
  });
  await workflowDocument.create({ data: { repository, workflowId, documentId, position: 1 } });
  const actors = [`user:${somebody}`, 'user:Administrator', 'user:ann'];
  const delegatedActors = ['group:members', 'user:nobody'];
  await task.create({
    data: {
      repository,
      id: randomUUID(),
      workflowId,
      node: 'Task6d8',
      actors,
      delegatedActors,
      createdAt: new Date(),
    },
  });
}

/** A folder with `count` workspaces, each with its own values for all enrichers and fetch properties. */
export async function fullFolder(server: TestServer, size: number): Promise<DocumentEntity> {
  count += 1;
  const folder = await createDocument(server, { type: 'Folder', name: `full-${count}` });
  for (let index = 0; index < size; index += 1) {
    const somebody = await createUser(server, `somebody-${count}-${index}`);
    const section = await createDocument(server, { type: 'Section' });
    const workspace = await createDocument(server, {
      parent: folder.path,
      type: 'Workspace',
      properties: {
        'dc:creator': somebody,
        'dc:lastContributor': 'nobody',
        'dc:contributors': [somebody, 'nobody'],
        'dc:nature': 'report',
        'dc:coverage': 'europe/France',
        'dc:subjects': ['art/cinema', 'music'],
        'publish:sections': [section.uid, 'nowhere'],
      },
    });
    await setAcl(server, workspace.path, [grant(somebody, 'ReadWrite'), grant('members', 'Read')]);
    await layWorkflow(server, workspace.uid, somebody);
    await createDocument(server, { parent: workspace.path, type: 'Folder' });
    await createDocument(server, { parent: workspace.path, type: 'File' });
  }
  return folder;
}
