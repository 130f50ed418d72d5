import type { Client } from '../../db/database.ts';
import type { DocumentRow } from '../../loaders/document-row.ts';
import type { Model } from '../../model/model.ts';
import { modelPath, modelsRoot } from '../../model/workflows/runnable.ts';
import { administrator } from '../../scope.ts';
import { everyone, local } from '../../security/acl.ts';
import { newRow } from '../create-document.ts';
import { whenCreated } from '../dublin-core.ts';
import { pointToAcls } from '../point-to-acls.ts';

type Parent = Pick<DocumentRow, 'repository' | 'id' | 'path' | 'ancestorIds' | 'aclId' | 'isTrashed'>;

const select = {
  ...{ repository: true, id: true, path: true, ancestorIds: true, aclId: true, isTrashed: true },
} as const;

/** Who may start a workflow must see its model, and whoever asks may be let to start one: everybody reads them. */
const acls = [
  {
    name: local,
    aces: [{ username: everyone, permission: 'Read', granted: true, creator: null, begin: null, end: null }],
  },
];

/**
 * Lays the documents that stand for the workflow models (§4.9) and are not there yet.
 * @param user the administrator, who creates them.
 */
export async function layModelDocuments(
  client: Client,
  { workflows }: Pick<Model, 'workflows'>,
  { repository, user }: { repository: string; user: string },
): Promise<void> {
  const paths = [...workflows.keys()].map(modelPath);
  const { prisma } = client;
  const found = await prisma.document.findMany({
    where: { repository, path: { in: ['/', modelsRoot, ...paths] }, isVersion: false },
    select,
  });
  const at = new Map<string, Parent>(found.map((row) => [row.path, row]));
  const made = (parent: Parent, name: string, type: string, title: string): DocumentRow =>
    newRow(parent, {
      ...{ name, type },
      properties: whenCreated(administrator(user), new Date().toISOString(), { 'dc:title': title }),
    });
  const top = at.get('/');
  if (!top) return;
  const known = at.get(modelsRoot);
  const root = known ?? made(top, modelsRoot.slice(1), 'DocumentRouteModelsRoot', 'Workflow models');
  const missing = [...workflows.values()].filter(({ name }) => !at.has(modelPath(name)));
  const rows = missing.map(({ name, title }) => made(root, name, 'DocumentRoute', title));
  const data = known ? rows : [root as DocumentRow, ...rows];
  if (data.length === 0) return;
  await prisma.document.createMany({ data, skipDuplicates: true });
  if (known) return;
  await prisma.documentAcl.create({ data: { repository, documentId: root.id, acls } });
  await pointToAcls(client, { repository, id: root.id });
}
