import type { Ace } from '../../security/acl.ts';
import { aceUsernames, decidingAce, type Subject } from '../../security/evaluate.ts';
import { isWritePermission, type Permission, permissions } from '../../security/permissions.ts';
import type { Principal } from '../../security/principal.ts';
import type { Context } from '../context.ts';
import type { DocumentRow } from '../documents/document-row.ts';

/** Whether a user has a permission on a document, along with the reason (§2.5). */
export interface Decided {
  readonly permission: Permission;
  readonly granted: boolean;
  readonly reason: 'administrator' | 'ace' | 'lock' | 'nothing';
  /**
   * The ACE that grants or denies the permission. For administrators, who have every permission, it is the ACE that
   * would apply to other users.
   */
  readonly ace?: Ace;
  /** The id of the document to which the ACE belongs. */
  readonly at?: string | undefined;
}

/**
 * Returns, for each effective ACE of a document, the id of the document to which the ACE belongs. Effective ACEs are
 * those of the document, then those of its parent, and so on, so the ids can be found by walking up the ancestors and
 * counting their ACEs.
 */
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
      // On a version, one ACE that grants a permission becomes two effective ACEs.
      const isChanged = entries[places.length]?.permission !== permission;
      places.push(...Array<string>(isChanged && granted ? 2 : 1).fill(upwards[index] ?? id));
    }
  return places.slice(0, entries.length);
}

type User = Pick<Principal, 'id' | 'groups' | 'isAdministrator'>;

/**
 * Returns all permissions of a user on a document, with the reasons. Does not check whether the caller is allowed to
 * see them. A single statement reads the ACLs of the document and its ancestors.
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
