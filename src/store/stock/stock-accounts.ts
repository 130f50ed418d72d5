import type { Client } from '../../db/database.ts';
import { foldedId } from '../../model/names.ts';
import { administrators, powerUsers } from '../../security/principal.ts';

/** ADMIN_USERNAME and ADMIN_PASSWORD. */
export interface AdministratorSettings {
  readonly administrator: { readonly username: string; readonly password: string };
  readonly hash: (password: string) => Promise<string>;
  /** Whether a database that has accounts gets one more, where it has none of that name. */
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

/** Groups are created once: one that an administrator deleted does not reappear at the next start. */
async function layGroups({ prisma }: Client): Promise<boolean> {
  if (await prisma.group.findFirst({ select: { id: true } })) return false;
  await prisma.group.createMany({ data: stockGroups });
  return true;
}

async function layAdministrator(
  { prisma }: Client,
  { administrator, hash }: AdministratorSettings,
): Promise<boolean> {
  const id = administrator.username;
  if (await prisma.user.findUnique({ where: { id }, select: { id: true } })) return false;
  const passwordHash = await hash(administrator.password);
  const properties = { email: 'devnull@nuxeo.com' };
  await prisma.user.create({ data: { id, foldedId: foldedId(id), passwordHash, properties } });
  return true;
}

/** Creates the stock groups and the administrator; when either is new, the administrator becomes a member. */
export async function createStockAccounts(client: Client, chief: AdministratorSettings): Promise<void> {
  const areGroupsNew = await layGroups(client);
  const isUserNew = (areGroupsNew || chief.isAdded) && (await layAdministrator(client, chief));
  const group = await client.prisma.group.findUnique({ where: { id: administrators } });
  if (!group || !(areGroupsNew || isUserNew)) return;
  const data = [{ memberId: chief.administrator.username, groupId: administrators }];
  await client.prisma.userMembership.createMany({ data, skipDuplicates: true });
}
