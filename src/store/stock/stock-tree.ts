import type { Client } from '../../db/database.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DefaultDocument, defaultTree } from '../../model/default-tree.ts';
import { stockIcon } from '../../model/icons.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { type Ace, localAclName } from '../../security/acl.ts';
import { administrator } from '../../security/principal.ts';
import { assignEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { newRow } from '../documents/create-document.ts';
import { creationProperties } from '../documents/dublin-core.ts';

// The effective ACL without ACEs, which only administrators can read under; documents have it until theirs is
// set.
const nowhere = '00000000-0000-0000-0000-000000000000';

interface Made {
  readonly described: DefaultDocument;
  readonly row: DocumentRow;
}

function stockProperties(user: string, type: string, title?: string): StoredProperties {
  const icon = stockIcon(type);
  const given: StoredProperties = {
    ...(title !== undefined && { 'dc:title': title }),
    ...(icon !== undefined && { 'common:icon': icon }),
  };
  return creationProperties(administrator(user), new Date().toISOString(), given);
}

function below(parent: DocumentRow, children: readonly DefaultDocument[], user: string): Made[] {
  return children.flatMap((described) => {
    const { name, type, title, children: further = [] } = described;
    const row = newRow(parent, { name, type, properties: stockProperties(user, type, title) });
    return [{ described, row }, ...below(row, further, user)];
  });
}

function makeTree(repository: string, user: string): Made[] {
  const described = defaultTree(user);
  const { name, type, children = [] } = described;
  const above = { repository, id: '', path: '/', ancestorIds: [], isTrashed: false, aclId: nowhere };
  const made = newRow(above, { name, type, properties: stockProperties(user, type) });
  const row = { ...made, parentId: null, ancestorIds: [], path: '/' };
  return [{ described, row }, ...below(row, children, user)];
}

const stockAce = (username: string, permission: string): Ace => ({
  username,
  permission,
  granted: true,
  creator: null,
  begin: null,
  end: null,
});

/** By path, so that documents of releases without ACLs get theirs too. */
async function layAcls({ prisma }: Client, repository: string, tree: readonly Made[]): Promise<void> {
  const governed = tree.filter(({ described }) => described.local);
  const rows = await prisma.document.findMany({
    where: { repository, path: { in: governed.map(({ row }) => row.path) }, isVersion: false },
    select: { id: true, path: true },
  });
  const data = rows.map(({ id, path }) => {
    const grants = governed.find(({ row }) => row.path === path)?.described.local ?? {};
    const aces = Object.entries(grants).map(([username, permission]) => ({
      ...stockAce(username, permission),
    }));
    return { repository, documentId: id, acls: [{ name: localAclName, aces }] };
  });
  await prisma.documentAcl.createMany({ data, skipDuplicates: true });
}

/** Creates the default tree of a repository with its ACLs. @param user the administrator, its creator. */
export async function createStockTree(client: Client, repository: string, user: string): Promise<void> {
  const root = { repository, path: '/' };
  const found = await client.prisma.document.findFirst({ where: root, select: { id: true, aclId: true } });
  if (found && found.aclId !== nowhere) return;
  const tree = makeTree(repository, user);
  if (!found) await client.prisma.document.createMany({ data: tree.map(({ row }) => row) });
  await layAcls(client, repository, tree);
  await assignEffectiveAcls(client, { repository, id: found?.id ?? tree[0]?.row.id ?? '' });
}
