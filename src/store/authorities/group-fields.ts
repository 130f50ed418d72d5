import { Invalid } from '../../errors.ts';
import { idOrNone } from '../../model/names.ts';
import type { StoredProperties, StoredValue } from '../../model/values/stored.ts';
import type { Scope } from '../../scope.ts';
import { readFields } from '../documents/read-fields.ts';
import { authoritySchema } from './schemas.ts';

export interface GroupJson {
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
export function readGroup(
  { model }: Scope,
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
