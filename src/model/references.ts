import type { Reference } from './definitions.ts';
import type { Model, Property, Schema } from './model.ts';
import { fieldOf, isFields, type StoredProperties, type StoredValue } from './stored.ts';

/** From the properties of a document down to a value: `['dc:subjects', 0]`. */
export type Path = ReadonlyArray<string | number>;

/** An id in a document that stands for something else. */
export interface FoundReference {
  readonly at: Path;
  readonly to: Reference;
  /** Of what it stands for: of "europe/France", that is "France". */
  readonly id: string;
}

/** The id that a value stands for: the last segment, where values name what is above their entry too. */
export function referredId(to: Reference, value: string): string {
  const separator = to.to === 'directory' ? to.separator : undefined;
  return separator === undefined ? value : value.slice(value.lastIndexOf(separator) + separator.length);
}

/** The fetch property that stands for all others (§10.1). */
const all = 'properties';

/** A property, or a field of a complex one, that refers to something or has fields that do. */
function referring({ refersTo, fields }: Property): boolean {
  return refersTo !== undefined || [...fields.values()].some(referring);
}

function namesOf(property: Property): string[] {
  return referring(property) ? [property.xpath, ...[...property.fields.values()].flatMap(namesOf)] : [];
}

/** §10.1: every fetch property of documents that is a property: all that refers to something, and what it is in. */
export const referenceNames = ({ schemas }: Pick<Model, 'schemas'>): string[] => [
  all,
  ...[...schemas.values()].flatMap(({ properties }) => [...properties.values()].flatMap(namesOf)),
];

/** §10.1: whether fetch properties name an xpath, or what it is in. */
export const isFetched = (xpath: string, names: readonly string[]): boolean =>
  names.some((name) => name === all || name === xpath || xpath.startsWith(`${name}/`));

const plans = new WeakMap<readonly Schema[], readonly Property[]>();

/** The properties of some schemas that refer to something; found out once, as documents of a page share theirs. */
function planOf(schemas: readonly Schema[]): readonly Property[] {
  const known =
    plans.get(schemas) ?? schemas.flatMap(({ properties }) => [...properties.values()].filter(referring));
  plans.set(schemas, known);
  return known;
}

/** §10.1: the xpaths of properties whose one value is shown as a list once it is fetched. */
export const listedOnceFetched = (schemas: readonly Schema[], names: readonly string[]): string[] =>
  planOf(schemas)
    .filter(
      ({ refersTo, xpath }) => refersTo?.to === 'directory' && refersTo.isListed && isFetched(xpath, names),
    )
    .map(({ xpath }) => xpath);

/** The ids that the fetch properties name in a document, wherever they are in its properties. */
export function findReferences(
  schemas: readonly Schema[],
  stored: StoredProperties,
  names: readonly string[],
): FoundReference[] {
  const found: FoundReference[] = [];

  const visitOne = (property: Property, value: StoredValue, at: Path): void => {
    const { refersTo: to, xpath, fields } = property;
    if (to && typeof value === 'string') {
      if (isFetched(xpath, names)) found.push({ at, to, id: referredId(to, value) });
    } else if (isFields(value)) {
      for (const field of fields.values()) visit(field, fieldOf(value, field.name), [...at, field.name]);
    }
  };
  const visit = (property: Property, value: StoredValue | undefined, at: Path): void => {
    if (value === undefined || value === null || !referring(property)) return;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) visitOne(property, item, [...at, index]);
    } else if (property.refersTo?.to === 'directory' && property.refersTo.isListed)
      visitOne(property, value, [...at, 0]);
    else visitOne(property, value, at);
  };

  for (const property of planOf(schemas)) visit(property, stored[property.xpath], [property.xpath]);
  return found;
}
