import type { ReferenceTarget } from '../definitions.ts';
import type { Model, Property, Schema } from '../model.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './stored.ts';

/** The path from the properties of a document to a value, such as `['dc:subjects', 0]`. */
export type ValuePath = ReadonlyArray<string | number>;

export interface FoundReference {
  readonly path: ValuePath;
  readonly target: ReferenceTarget;
  readonly id: string;
}

/**
 * Returns the id that the value of a reference contains, such as "France" in "europe/France" if the separator is "/".
 */
export function referencedId(to: ReferenceTarget, value: string): string {
  const separator = to.to === 'directory' ? to.separator : undefined;
  return separator === undefined ? value : (value.split(separator).at(-1) ?? value);
}

/**
 * Returns whether fetching a property with a single value returns a list, which is empty or contains one entity
 * (§10.1).
 */
export const isListed = ({ refersTo }: Property): boolean =>
  refersTo?.to === 'directory' && refersTo.isListed === true;

/** The fetch property that selects all references (§10.1). */
const all = 'properties';

/** Returns whether a property, or one of its sub-fields, is a reference. */
const hasReference = ({ refersTo, fields }: Property): boolean =>
  refersTo !== undefined || [...fields.values()].some(hasReference);

const namesOf = (property: Property): string[] =>
  hasReference(property) ? [property.xpath, ...[...property.fields.values()].flatMap(namesOf)] : [];

/**
 * Returns all fetch properties of documents (§10.1): `properties`, the xpaths of references, and the xpaths of
 * properties that contain references.
 */
export const referenceNames = ({ schemas }: Pick<Model, 'schemas'>): string[] => [
  all,
  ...[...schemas.values()].flatMap(({ properties }) => [...properties.values()].flatMap(namesOf)),
];

/** Returns whether the fetch properties select an xpath or a property that contains it (§10.1). */
export const isFetched = (xpath: string, names: readonly string[]): boolean =>
  names.some((name) => name === all || name === xpath || xpath.startsWith(`${name}/`));

const plans = new WeakMap<readonly Schema[], readonly Property[]>();

/**
 * Returns the properties that have references. The result is cached, because the documents on a page share their
 * schemas.
 */
function planOf(schemas: readonly Schema[]): readonly Property[] {
  const plan =
    plans.get(schemas) ?? schemas.flatMap(({ properties }) => [...properties.values()].filter(hasReference));
  plans.set(schemas, plan);
  return plan;
}

/** Returns the xpaths of fetched properties whose single value is returned as a list (§10.1). */
export const xpathsFetchedAsList = (schemas: readonly Schema[], names: readonly string[]): string[] =>
  planOf(schemas)
    .filter((property) => isListed(property) && isFetched(property.xpath, names))
    .map(({ xpath }) => xpath);

/** Returns the references in a document that the fetch properties select. */
export function findReferences(
  schemas: readonly Schema[],
  stored: StoredProperties,
  names: readonly string[],
): FoundReference[] {
  const found: FoundReference[] = [];

  const visitOne = (property: Property, value: StoredValue, at: ValuePath): void => {
    const { refersTo: to, xpath, fields } = property;
    if (to && typeof value === 'string') {
      if (isFetched(xpath, names)) found.push({ path: at, target: to, id: referencedId(to, value) });
    } else if (isFields(value)) {
      for (const field of fields.values()) visit(field, fieldOf(value, field.name), [...at, field.name]);
    }
  };
  const visit = (property: Property, value: StoredValue | undefined, at: ValuePath): void => {
    if (value === undefined || value === null || !hasReference(property)) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visitOne(property, item, [...at, index]);
    } else if (isListed(property)) visitOne(property, value, [...at, 0]);
    else visitOne(property, value, at);
  };

  for (const property of planOf(schemas)) visit(property, stored[property.xpath], [property.xpath]);
  return found;
}
