import type { Ace } from '../../security/acl.ts';
import { aceUsernames, decidingAce, type Subject } from '../../security/evaluate.ts';
import { isWritePermission, type Permission, permissions } from '../../security/permissions.ts';
import type { Principal } from '../../security/principal.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** Whether a user has a permission on a document, and what decides it (§2.5). */
export interface Decided {
  readonly permission: Permission;
  readonly granted: boolean;
  /** Administrators need no ACE: `ace` is the one that would decide if they did. */
  readonly reason: 'administrator' | 'ace' | 'lock' | 'nothing';
  readonly ace?: Ace;
  /** The id of the document that the ACE stands on. */
  readonly at?: string | undefined;
}

/** The ids of the documents that the effective ACEs of a document stand on, in their order. */
async function placesOf(
  { load }: Pick<Context, 'load'>,
  { id, ancestorIds }: DocumentRow,
  entries: readonly Ace[],
): Promise<readonly string[]> {
  const upwards = [id, ...ancestorIds.toReversed()];
  const owned = await Promise.all(upwards.map((each) => load.acls.load(each)));
  const places: string[] = [];
  for (const [index, own] of owned.entries())
    for (const { permission, granted } of (own?.acls ?? []).flatMap(({ aces }) => aces)) {
      const isChanged = entries[places.length]?.permission !== permission; // below a version, a grant is two ACEs
      places.push(...Array<string>(isChanged && granted ? 2 : 1).fill(upwards[index] ?? id));
    }
  return places.slice(0, entries.length);
}

type User = Pick<Principal, 'id' | 'groups' | 'isAdministrator'>;

/**
 * Every permission of a user on a document. The caller has checked that the one who asks may know.
 * One statement for the ACLs of the document and its ancestors.
 */
export async function decidedPermissions(
  context: Pick<Context, 'load'>,
  row: DocumentRow,
  user: User,
): Promise<Decided[]> {
  const { access } = context.load;
  const entries = await access.entries(row.aclId);
  const places = await placesOf(context, row, entries);
  const subject: Subject = { names: new Set(aceUsernames(user)), now: access.now };
  const isLocked = row.lockOwner !== null && row.lockOwner !== user.id;
  return permissions.map((permission) => {
    const ace = decidingAce(entries, subject, permission);
    const place = ace && { ace, at: places[entries.indexOf(ace)] };
    if (user.isAdministrator) return { permission, granted: true, reason: 'administrator', ...place };
    if (!ace) return { permission, granted: false, reason: 'nothing' };
    if (ace.granted && isLocked && isWritePermission(permission))
      return { permission, granted: false, reason: 'lock' };
    return { permission, granted: ace.granted, reason: 'ace', ...place };
  });
}
