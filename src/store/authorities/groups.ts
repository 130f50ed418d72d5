import { Conflict, Invalid } from '../../errors.ts';
import type { AuthorityRow } from '../../loaders/authorities/authorities.ts';
import { idOrNone } from '../../model/names.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { administrators, powerUsers } from '../../security/principal.ts';
import { recordEvents } from '../audit/audit.ts';
import { differingProperties } from '../documents/dublin-core.ts';
import { checkProperties, withoutUnset } from '../documents/properties.ts';
import { readFields } from '../documents/read-fields.ts';
import { lockNesting } from '../row-locks/advisory-locks.ts';
import { lockAuthority } from '../row-locks/lock-authorities.ts';
import { authorityEvent } from './events.ts';
import { setMemberships } from './memberships.ts';
import { requireEditor, requireMayChange } from './rights.ts';
import { claimId, requireSameAuthority } from './same-authority.ts';
import { authoritySchema, newAuthorityId } from './schemas.ts';

interface GroupJson {
  readonly id?: string | null | undefined;
  readonly groupname?: string | null | undefined;
  readonly grouplabel?: string | null | undefined;
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
  /** The ids of all users who are members. If absent, these members remain unchanged. */
  readonly memberUsers?: readonly string[] | null | undefined;
  /** The ids of all groups that are members. If absent, these members remain unchanged. */
  readonly memberGroups?: readonly string[] | null | undefined;
}

/** Fields of the group schema that are stored as memberships, mapped to the input fields that set them instead. */
const elsewhere = {
  members: 'memberUsers',
  subGroups: 'memberGroups',
  parentGroups: 'memberGroups of the parents',
};

/**
 * Returns the name of a group, which can appear in several fields of a request body.
 * @throws Invalid if these fields differ
 */
function nameOf(places: Readonly<Record<string, StoredValue | undefined>>): string | undefined {
  const named = Object.entries(places).filter(([, name]) => idOrNone(name) !== undefined);
  const [first, ...others] = named;
  const other = others.find(([, name]) => name !== first?.[1]);
  if (first && other)
    throw new Invalid(`${other[0]}: "${other[1]}" differs from the ${first[0]} "${first[1]}"`);
  return first?.[1] as string | undefined;
}

/**
 * Returns the new label of a group. It can appear in two fields of a request body; the field that differs from the
 * stored label is used.
 * @throws Invalid if both differ from the stored label and from each other
 */
function labelOf(
  top: string | null | undefined,
  inside: StoredValue | undefined,
  stored: StoredValue,
): StoredValue | undefined {
  const changed = [top, inside].filter(
    (label) => label !== undefined && (label || null) !== (stored || null),
  );
  const [one, other = one] = changed;
  if (one !== other) throw new Invalid(`grouplabel: "${one}" differs from the property "${other}"`);
  return one;
}

interface GroupFields {
  readonly name: string | undefined;
  readonly properties: StoredProperties;
}

/**
 * Parses a request body that describes a group.
 * @param before the stored properties
 * @throws Invalid for an unknown property, a value of the wrong type, or fields that contradict each other
 */
function readGroup(
  { services: { model } }: Scope,
  { id, groupname, grouplabel, properties }: GroupJson,
  before: StoredProperties = {},
): GroupFields {
  const json = properties ?? {};
  for (const [name, other] of Object.entries(elsewhere)) {
    if (Object.hasOwn(json, name))
      throw new Invalid(`unknown property: ${name} (use ${other} to set members)`);
  }
  const {
    groupname: inside,
    grouplabel: label,
    ...fields
  } = readFields(authoritySchema(model, 'group'), json);
  const newLabel = labelOf(grouplabel, label, before.grouplabel ?? null);
  return {
    name: nameOf({ id, groupname, 'properties.groupname': inside }),
    properties: newLabel === undefined ? fields : { ...fields, grouplabel: newLabel },
  };
}

async function setMembers(scope: Scope, group: string, input: GroupJson): Promise<void> {
  if (input.memberUsers) await setMemberships(scope, 'user', { group }, input.memberUsers);
  if (input.memberGroups) await setMemberships(scope, 'group', { group }, input.memberGroups);
}

/**
 * Creates a group (§4.4).
 * @throws Forbidden, Invalid, Unprocessable; Conflict if the id is taken; BadReference if a member does not exist
 */
export async function createGroup(scope: Scope, input: GroupJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const { name = '', ...group } = readGroup(scope, input);
  const id = newAuthorityId('group', name);
  const properties = withoutUnset(group.properties);
  await checkProperties(scope, [authoritySchema(scope.services.model, 'group')], properties);
  // ACEs do not distinguish users from groups: if a group had the same name as an administrator, its members would get
  // that administrator's permissions.
  await requireMayChange(scope, { users: [id], groups: [id] });

  const claimed = await claimId(scope.db, 'group', id);
  if (input.memberGroups?.length) await lockNesting(scope.db);
  const data = [{ ...claimed, properties }];
  await scope.db.prisma.group.createMany({ data });
  await setMembers(scope, id, input);
  await recordEvents(scope, [authorityEvent('group', 'created', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/**
 * Changes a group. Absent fields remain unchanged; null clears a field (§4.4).
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference if the body names a group or member that does not
 * exist
 */
export async function updateGroup(scope: Scope, id: string, input: GroupJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  if (input.memberGroups) await lockNesting(scope.db);
  const before = await lockAuthority(scope.db, 'group', id, 'NO KEY UPDATE');
  const named = [input.id, input.groupname, input.properties?.groupname].map(idOrNone).find(Boolean);
  await requireSameAuthority(scope.db, 'group', { addressed: id, named });
  await requireMayChange(scope, { groups: [id] });
  const changed = readGroup(scope, { ...input, id }, before.properties);
  const differing = Object.keys(differingProperties(before.properties, changed.properties));
  const properties = withoutUnset({ ...before.properties, ...changed.properties });
  await checkProperties(scope, [authoritySchema(scope.services.model, 'group')], properties, {
    xpaths: differing,
    stored: before.properties,
  });
  await scope.db.prisma.group.update({ where: { id }, data: { properties }, select: { id: true } });
  await setMembers(scope, id, input);
  await recordEvents(scope, [authorityEvent('group', 'modified', id, differing)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** Groups that the server itself refers to. */
const neededGroups: readonly string[] = [administrators, 'members', powerUsers];

/**
 * Deletes a group and its memberships (§4.4).
 * @throws NotFound, Forbidden; Conflict for a group that the server needs
 */
export async function deleteGroup(scope: Scope, id: string): Promise<string> {
  requireEditor(scope.user);
  await lockAuthority(scope.db, 'group', id, 'UPDATE');
  await requireMayChange(scope, { groups: [id] });
  if (neededGroups.includes(id))
    throw new Conflict(`The group ${id} cannot be deleted, because the server needs it.`);
  await scope.db.prisma.group.delete({ where: { id }, select: { id: true } });
  await recordEvents(scope, [authorityEvent('group', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
