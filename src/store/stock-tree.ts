import type { Client } from '../db/database.ts';
import type { DocumentRow } from '../loaders/document-row.ts';
import { type DefaultDocument, defaultTree } from '../model/default-tree.ts';
import type { StoredProperties } from '../model/stored.ts';
import { administrator } from '../scope.ts';
import { type Ace, local } from '../security/acl.ts';
import { newRow } from './create-document.ts';
import { whenCreated } from './dublin-core.ts';
import { pointToAcls } from './point-to-acls.ts';

/** What documents point to before anything was laid for them: no ACEs, so that administrators alone may read. */
const nowhere = '00000000-0000-0000-0000-000000000000';

/** A document of the tree, as it is described and as it is stored. */
interface Made {
  readonly described: DefaultDocument;
  readonly row: DocumentRow;
}

function stockProperties(user: string, title?: string): StoredProperties {
  const given: StoredProperties = title === undefined ? {} : { 'dc:title': title };
  return whenCreated(administrator(user), new Date().toISOString(), given);
}

/** What is below a document, parents before children. */
function below(parent: DocumentRow, children: readonly DefaultDocument[], user: string): Made[] {
  return children.flatMap((described) => {
    const { name, type, title, children: further = [] } = described;
    const row = newRow(parent, { name, type, properties: stockProperties(user, title) });
    return [{ described, row }, ...below(row, further, user)];
  });
}

function makeTree(repository: string, user: string): Made[] {
  const described = defaultTree(user);
  const { name, type, children = [] } = described;
  const above = { repository, id: '', path: '/', ancestorIds: [], isTrashed: false, aclId: nowhere };
  const made = newRow(above, { name, type, properties: stockProperties(user) });
  const row = { ...made, parentId: null, ancestorIds: [], path: '/' };
  return [{ described, row }, ...below(row, children, user)];
}

const stockAce = (username: string, permission: string): Ace => ({
  ...{ username, permission, granted: true },
  ...{ creator: null, begin: null, end: null },
});

/** Gives the documents of the tree their ACLs, by path: those of before there were ACLs get theirs too. */
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
    return { repository, documentId: id, acls: [{ name: local, aces }] };
  });
  await prisma.documentAcl.createMany({ data, skipDuplicates: true });
}

/**
 * Lays the tree that a repository starts with, and the ACLs of it.
 * @param user the administrator, who creates it.
 */
export async function layTree(client: Client, repository: string, user: string): Promise<void> {
  const root = { repository, path: '/' };
  const found = await client.prisma.document.findFirst({ where: root, select: { id: true, aclId: true } });
  if (found && found.aclId !== nowhere) return;
  const tree = makeTree(repository, user);
  if (!found) await client.prisma.document.createMany({ data: tree.map(({ row }) => row) });
  await layAcls(client, repository, tree);
  await pointToAcls(client, { repository, id: found?.id ?? tree[0]?.row.id ?? '' });
}
