import { Invalid } from '../../errors.ts';
import type { StoredProperties, StoredValue } from '../../model/stored.ts';
import type { Scope } from '../../scope.ts';
import { readFields } from '../fields.ts';
import { schemaOf } from './schemas.ts';

/** What a group is made from, or changed by; as JSON. */
export interface GroupInput {
  readonly id?: string | null | undefined;
  /** The id under another name. */
  readonly groupname?: string | null | undefined;
  /** Stands for the property of that name. */
  readonly grouplabel?: string | null | undefined;
  /** By name; the members are no properties here. */
  readonly properties?: Readonly<Record<string, unknown>> | null | undefined;
  /** Ids of all users that are to be in the group; absent leaves them. */
  readonly memberUsers?: readonly string[] | null | undefined;
  /** Ids of all groups that are to be in the group; absent leaves them. */
  readonly memberGroups?: readonly string[] | null | undefined;
}

/** Fields of the schema that stand for memberships, and what bodies call them. */
const elsewhere = {
  members: 'memberUsers',
  subGroups: 'memberGroups',
  parentGroups: 'memberGroups of the parents',
};

/** The one name that a body gives in several places. @throws Invalid when they differ. */
function nameOf(places: Readonly<Record<string, StoredValue | undefined>>): string | undefined {
  const given = Object.entries(places).filter(([, name]) => typeof name === 'string');
  const [first, ...others] = given;
  const other = others.find(([, name]) => name !== first?.[1]);
  if (first && other) throw new Invalid(`${other[0]}: "${other[1]}" is not the ${first[0]} "${first[1]}"`);
  return first?.[1] as string | undefined;
}

/** A label is given in two places: the one that differs from what is stored counts. @throws Invalid when both do. */
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

/** What a body says of a group; what it does not say is undefined. */
export interface GivenGroup {
  /** The name it gives the group, wherever it does. */
  readonly name: string | undefined;
  /** By name; null clears. */
  readonly properties: StoredProperties;
}

/**
 * Reads what a body says of a group itself.
 * @param before the properties that are stored.
 * @throws Invalid on a property that groups do not have, or of another type, or when the body contradicts itself.
 */
export function readGroup(
  { model }: Scope,
  { id, groupname, grouplabel, properties }: GroupInput,
  before: StoredProperties = {},
): GivenGroup {
  const json = properties ?? {};
  for (const [name, other] of Object.entries(elsewhere)) {
    if (Object.hasOwn(json, name))
      throw new Invalid(`unknown property: ${name} (members are given as ${other})`);
  }
  const { groupname: inside, grouplabel: label, ...fields } = readFields(schemaOf(model, 'group'), json);
  const newLabel = labelOf(grouplabel, label, before.grouplabel ?? null);
  return {
    name: nameOf({ id, groupname, 'properties.groupname': inside }),
    properties: newLabel === undefined ? fields : { ...fields, grouplabel: newLabel },
  };
}
