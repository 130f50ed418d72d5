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
  /** The ids of all member users; unchanged when absent. */
  readonly memberUsers?: readonly string[] | null | undefined;
  /** The ids of all member groups; unchanged when absent. */
  readonly memberGroups?: readonly string[] | null | undefined;
}

/** Fields of the schema that stand for memberships, which are rows of their own. */
const elsewhere = {
  members: 'memberUsers',
  subGroups: 'memberGroups',
  parentGroups: 'memberGroups of the parents',
};

/** @throws Invalid when the body names the group differently in two fields. */
function nameOf(places: Readonly<Record<string, StoredValue | undefined>>): string | undefined {
  const given = Object.entries(places).filter(([, name]) => idOrNone(name) !== undefined);
  const [first, ...others] = given;
  const other = others.find(([, name]) => name !== first?.[1]);
  if (first && other) throw new Invalid(`${other[0]}: "${other[1]}" is not the ${first[0]} "${first[1]}"`);
  return first?.[1] as string | undefined;
}

/**
 * Of the two fields of a label the one that differs from the stored label counts.
 * @throws Invalid when both differ.
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
  if (one !== other) throw new Invalid(`grouplabel: "${one}" is not the property "${other}"`);
  return one;
}

interface GroupFields {
  readonly name: string | undefined;
  readonly properties: StoredProperties;
}

/**
 * @param before the stored properties.
 * @throws Invalid for an unknown property, a value of another type, and fields that contradict each other.
 */
function readGroup(
  { services: { model } }: Scope,
  { id, groupname, grouplabel, properties }: GroupJson,
  before: StoredProperties = {},
): GroupFields {
  const json = properties ?? {};
  for (const [name, other] of Object.entries(elsewhere)) {
    if (Object.hasOwn(json, name))
      throw new Invalid(`unknown property: ${name} (members are given as ${other})`);
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
 * §4.4
 * @throws Forbidden, Invalid, Unprocessable; Conflict for a taken id; BadReference for a missing member.
 */
export async function createGroup(scope: Scope, input: GroupJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  const { name = '', ...given } = readGroup(scope, input);
  const id = newAuthorityId('group', name);
  const properties = withoutUnset(given.properties);
  await checkProperties(scope, [authoritySchema(scope.services.model, 'group')], properties);
  // ACEs name users and groups alike: members of a group called like an administrator would get that user's
  // permissions.
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
 * Absent fields stay, null clears (§4.4).
 * @throws NotFound, Forbidden, Invalid, Unprocessable; BadReference when the body names a missing group or
 * member.
 */
export async function updateGroup(scope: Scope, id: string, input: GroupJson): Promise<AuthorityRow> {
  requireEditor(scope.user);
  if (input.memberGroups) await lockNesting(scope.db);
  const before = await lockAuthority(scope.db, 'group', id, 'NO KEY UPDATE');
  const named = [input.id, input.groupname, input.properties?.groupname].map(idOrNone).find(Boolean);
  await requireSameAuthority(scope.db, 'group', { addressed: id, named });
  await requireMayChange(scope, { groups: [id] });
  const given = readGroup(scope, { ...input, id }, before.properties);
  const properties = withoutUnset({ ...before.properties, ...given.properties });
  await checkProperties(scope, [authoritySchema(scope.services.model, 'group')], properties, {
    xpaths: Object.keys(differingProperties(before.properties, given.properties)),
    stored: before.properties,
  });
  await scope.db.prisma.group.update({ where: { id }, data: { properties }, select: { id: true } });
  await setMembers(scope, id, input);
  await recordEvents(scope, [authorityEvent('group', 'modified', id)]);
  await scope.db.announce('principals');
  return { id, properties };
}

/** Groups that permissions of the server itself name. */
const neededGroups: readonly string[] = [administrators, 'members', powerUsers];

/** Deletes a group and its memberships (§4.4). @throws NotFound, Forbidden; Conflict for groups that the server needs */
export async function deleteGroup(scope: Scope, id: string): Promise<string> {
  requireEditor(scope.user);
  await lockAuthority(scope.db, 'group', id, 'UPDATE');
  await requireMayChange(scope, { groups: [id] });
  if (neededGroups.includes(id))
    throw new Conflict(`The group ${id} cannot be deleted: the server needs it.`);
  await scope.db.prisma.group.delete({ where: { id }, select: { id: true } });
  await recordEvents(scope, [authorityEvent('group', 'deleted', id)]);
  await scope.db.announce('principals');
  return id;
}
