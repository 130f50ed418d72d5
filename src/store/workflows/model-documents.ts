import type { Client } from '../../db/database.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { typeDefaults } from '../../model/defaults.ts';
import type { Model } from '../../model/model.ts';
import { offeredModels, workflowModelPath, workflowModelsRoot } from '../../model/workflows/runnable.ts';
import { everyone, localAclName } from '../../security/acl.ts';
import { administrator } from '../../security/principal.ts';
import { assignEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { newRow } from '../documents/create-document.ts';
import { creationProperties } from '../documents/dublin-core.ts';

type Parent = Pick<DocumentRow, 'repository' | 'id' | 'path' | 'ancestorIds' | 'aclId' | 'isTrashed'>;

const select = {
  repository: true,
  id: true,
  path: true,
  ancestorIds: true,
  aclId: true,
  isTrashed: true,
} as const;

/** ACLs that allow all users to read the workflow models, because any user may be allowed to start a workflow. */
const acls = [
  {
    name: localAclName,
    aces: [{ username: everyone, permission: 'Read', granted: true, creator: null, begin: null, end: null }],
  },
];

/**
 * Creates the missing documents of the workflow models (§4.9).
 * @param user the administrator, who becomes their creator.
 */
export async function createModelDocuments(
  client: Client,
  model: Model,
  { repository, user }: { repository: string; user: string },
): Promise<void> {
  const workflows = offeredModels(model);
  const paths = workflows.map(({ name }) => workflowModelPath(name));
  const { prisma } = client;
  const found = await prisma.document.findMany({
    where: { repository, path: { in: ['/', workflowModelsRoot, ...paths] }, isVersion: false },
    select,
  });
  const at = new Map<string, Parent>(found.map((row) => [row.path, row]));
  const made = (parent: Parent, name: string, type: string, title: string): DocumentRow =>
    newRow(parent, {
      name,
      type,
      properties: {
        ...typeDefaults(model, type),
        ...creationProperties(administrator(user), new Date().toISOString(), { 'dc:title': title }),
      },
    });
  const top = at.get('/');
  if (!top) return;
  const known = at.get(workflowModelsRoot);
  const root = known ?? made(top, workflowModelsRoot.slice(1), 'DocumentRouteModelsRoot', 'Workflow models');
  const missing = workflows.filter(({ name }) => !at.has(workflowModelPath(name)));
  const rows = missing.map(({ name, title }) => made(root, name, 'DocumentRoute', title));
  const data = known ? rows : [root as DocumentRow, ...rows];
  if (data.length === 0) return;
  await prisma.document.createMany({ data, skipDuplicates: true });
  if (known) return;
  await prisma.documentAcl.create({ data: { repository, documentId: root.id, acls } });
  await assignEffectiveAcls(client, { repository, id: root.id });
}
