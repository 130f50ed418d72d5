import { ConfigError } from '../../config.ts';
import type { Client, Database } from '../../db/database.ts';
import { lockStartUp } from '../../db/start-up-lock.ts';
import { Conflict, Invalid } from '../../errors.ts';
import { typoKeysOfNames } from '../../loaders/authorities/similar-users.ts';
import { entryPosition } from '../../loaders/directories/source.ts';
import type { DocumentRow } from '../../loaders/documents/document-row.ts';
import { type DefaultDocument, defaultTree } from '../../model/default-tree.ts';
import { readFirstEntries } from '../../model/directories/first-entries.ts';
import { stockIcon } from '../../model/icons.ts';
import type { Model } from '../../model/model.ts';
import { foldedId } from '../../model/names.ts';
import type { StoredProperties } from '../../model/values/stored.ts';
import { type Ace, localAclName } from '../../security/acl.ts';
import { administrator, administrators, powerUsers } from '../../security/principal.ts';
import { assignEffectiveAcls } from '../acls/assign-effective-acls.ts';
import { fillFoldedIds } from '../authorities/folded-ids.ts';
import { fillTypoKeys } from '../authorities/name-keys.ts';
import { claimId } from '../authorities/same-authority.ts';
import { newAuthorityId } from '../authorities/schemas.ts';
import { newRow } from '../documents/create-document.ts';
import { creationProperties } from '../documents/dublin-core.ts';
import { createModelDocuments } from '../workflows/model-documents.ts';

// The id of the effective ACL without ACEs, which gives access only to administrators. Documents have it until their
// own is computed.
const emptyAclId = '00000000-0000-0000-0000-000000000000';

interface StockDocument {
  readonly described: DefaultDocument;
  readonly row: DocumentRow;
}

/** The properties of a stock document. */
function stockProperties(user: string, type: string, title?: string): StoredProperties {
  const icon = stockIcon(type);
  const stock: StoredProperties = {
    ...(title !== undefined && { 'dc:title': title }),
    ...(icon !== undefined && { 'common:icon': icon }),
  };
  return creationProperties(administrator(user), new Date().toISOString(), stock);
}

function below(parent: DocumentRow, children: readonly DefaultDocument[], user: string): StockDocument[] {
  return children.flatMap((described) => {
    const { name, type, title, children: further = [] } = described;
    const row = newRow(parent, { name, type, properties: stockProperties(user, type, title) });
    return [{ described, row }, ...below(row, further, user)];
  });
}

function makeTree(repository: string, user: string): StockDocument[] {
  const described = defaultTree(user);
  const { name, type, children = [] } = described;
  const above = { repository, id: '', path: '/', ancestorIds: [], isTrashed: false, aclId: emptyAclId };
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

/**
 * Creates the default tree of a repository with its ACLs, unless the repository already has a root.
 * @param user the administrator, who becomes the creator of the documents
 */
async function createStockTree(client: Client, repository: string, user: string): Promise<void> {
  const { prisma } = client;
  const where = { repository, path: '/' };
  if (await prisma.document.findFirst({ where, select: { id: true } })) return;
  const tree = makeTree(repository, user);
  await prisma.document.createMany({ data: tree.map(({ row }) => row) });
  const acls = tree.flatMap(({ described: { local }, row }) => {
    if (!local) return [];
    const aces = Object.entries(local).map(([username, permission]) => ({
      ...stockAce(username, permission), // a plain object, which is assignable to JSON
    }));
    return [{ repository, documentId: row.id, acls: [{ name: localAclName, aces }] }];
  });
  await prisma.documentAcl.createMany({ data: acls });
  await assignEffectiveAcls(client, { repository, id: tree[0]?.row.id ?? '' });
}

/** The administrator account as configured by ADMIN_USERNAME and ADMIN_PASSWORD. */
interface AdministratorSettings {
  readonly administrator: { readonly username: string; readonly password: string };
  readonly hash: (password: string) => Promise<string>;
  /** Whether to add the administrator to a database that already has accounts, but none with that name. */
  readonly isAdded: boolean;
}

const stockGroup = (id: string, grouplabel: string, description: string) => ({
  id,
  foldedId: foldedId(id),
  properties: { grouplabel, description },
});

const stockGroups = [
  stockGroup(administrators, 'Administrators group', 'Users with administrative rights'),
  stockGroup('members', 'Members group', 'Users with read access rights'),
  stockGroup(powerUsers, 'Power users group', 'Users with rights to manage users and groups'),
];

/**
 * Creates the stock groups, but only once, so that a group that an administrator has deleted does not reappear at the
 * next start.
 * @returns whether the groups were created
 */
async function createGroups({ prisma }: Client): Promise<boolean> {
  if (await prisma.group.findFirst({ select: { id: true } })) return false;
  await prisma.group.createMany({ data: stockGroups });
  return true;
}

/**
 * Reserves the id of the administrator to create, applying the rules for new users.
 * @throws ConfigError
 */
async function claimAdministrator(client: Client, username: string): ReturnType<typeof claimId> {
  try {
    return await claimId(client, 'user', newAuthorityId('user', username));
  } catch (error) {
    if (!(error instanceof Conflict || error instanceof Invalid)) throw error;
    throw new ConfigError(
      `ADMIN_USERNAME: ${error.message}\nSet it to another name, or to the name of an existing user.`,
    );
  }
}

/**
 * Creates the administrator.
 * @returns false if the user already exists
 * @throws ConfigError if the name is not allowed for a new user
 */
async function createAdministrator(
  client: Client,
  { administrator, hash }: AdministratorSettings,
): Promise<boolean> {
  const { username, password } = administrator;
  const { prisma } = client;
  if (await prisma.user.findUnique({ where: { id: username }, select: { id: true } })) return false;
  const claimed = await claimAdministrator(client, username);
  const properties = { email: 'devnull@nuxeo.com' };
  const typoKeys = typoKeysOfNames({ id: username, properties });
  await prisma.user.create({
    data: { ...claimed, passwordHash: await hash(password), properties, typoKeys },
  });
  return true;
}

/**
 * Creates the stock groups and the administrator. If either is new, the administrator becomes a member of the group of
 * administrators.
 * @throws ConfigError if ADMIN_USERNAME is not allowed as the name of a new user
 */
async function createStockAccounts(client: Client, settings: AdministratorSettings): Promise<void> {
  const areGroupsNew = await createGroups(client);
  const isUserNew = (areGroupsNew || settings.isAdded) && (await createAdministrator(client, settings));
  const group = await client.prisma.group.findUnique({ where: { id: administrators } });
  if (!group || !(areGroupsNew || isUserNew)) return;
  const data = [{ memberId: settings.administrator.username, groupId: administrators }];
  await client.prisma.userMembership.createMany({ data, skipDuplicates: true });
}

interface StockSettings extends AdministratorSettings {
  readonly repositories: readonly string[];
}

/**
 * Creates the stock directory entries, but only once, so that an entry that an administrator has deleted does not
 * reappear at the next start.
 */
async function createDirectories({ prisma }: Client, model: Model): Promise<void> {
  const existing = new Set((await prisma.directory.findMany()).map(({ name }) => name));
  const missing = [...model.directories.values()].filter(({ name }) => !existing.has(name));
  if (missing.length === 0) return;
  for (const directory of missing) {
    const entries = await readFirstEntries(directory);
    const data = entries.map((entry) => ({
      directory: directory.name,
      ...entry,
      ordering: entryPosition(directory, entry).ordering,
    }));
    if (data.length > 0) await prisma.directoryEntry.createMany({ data });
  }
  await prisma.directory.createMany({ data: missing.map(({ name }) => ({ name })) });
}

/**
 * Creates what every server needs: the administrator, the groups, the directories, and the tree and workflow models of
 * each repository.
 */
export async function createStockContent(
  database: Database,
  model: Model,
  settings: StockSettings,
): Promise<void> {
  await fillFoldedIds(database);
  await fillTypoKeys(database);
  await database.transaction(60, async (client) => {
    await lockStartUp(client);
    await createStockAccounts(client, settings);
    await createDirectories(client, model);
    for (const repository of settings.repositories) {
      const user = settings.administrator.username;
      await createStockTree(client, repository, user);
      await createModelDocuments(client, model, { repository, user });
    }
  });
}
