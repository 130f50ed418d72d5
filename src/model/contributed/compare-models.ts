import type { DocumentType, Facet, Model, Property, Schema } from '../model.ts';

/** An attribute of a definition that differs between two models. A missing attribute has no text. */
interface Difference {
  /** The attribute, such as `parent` or `required`. */
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** A definition that differs between two models. */
export interface ModelChange {
  readonly kind: 'type' | 'facet' | 'schema' | 'field';
  /** The name; for a field, the xpath. */
  readonly name: string;
  readonly change: 'added' | 'removed' | 'changed';
  readonly differences: readonly Difference[];
}

type Kind = ModelChange['kind'];
type Attributes = Readonly<Record<string, unknown>>;

const textOf = (value: unknown): string | undefined => {
  if (value === undefined) return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
};

const names = (all: ReadonlyArray<{ readonly name: string }>): string =>
  all.map(({ name }) => name).join(', ');

const typeAttributes = ({ parent, schemas, facets, subtypes, icon }: DocumentType): Attributes => ({
  parent,
  schemas: names(schemas),
  facets: facets.join(', '),
  subtypes: subtypes.join(', '),
  icon,
});

const facetAttributes = ({ schemas }: Facet): Attributes => ({ schemas: names(schemas) });

const schemaAttributes = ({ prefix }: Schema): Attributes => ({ prefix });

function fieldAttributes({
  type,
  many,
  fields,
  refersTo,
  constraints,
  default: value,
}: Property): Attributes {
  const parts = [...fields].map(([name, part]) => [name, fieldAttributes(part)]);
  return {
    type: many ? `${type}[]` : type,
    ...constraints,
    refersTo,
    default: value,
    ...(parts.length > 0 && { fields: Object.fromEntries(parts) }),
  };
}

function differencesOf(before: Attributes, after: Attributes): Difference[] {
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return all
    .map((name) => ({ name, before: textOf(before[name]), after: textOf(after[name]) }))
    .filter((each) => each.before !== each.after);
}

/** Compares the definitions of a kind. @param attributesOf returns what is compared of a definition */
function compare<Definition>(
  kind: Kind,
  before: ReadonlyMap<string, Definition>,
  after: ReadonlyMap<string, Definition>,
  attributesOf: (definition: Definition) => Attributes,
): ModelChange[] {
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name): ModelChange[] => {
    const [one, other] = [before.get(name), after.get(name)];
    const differences = differencesOf(one ? attributesOf(one) : {}, other ? attributesOf(other) : {});
    if (!one) return [{ kind, name, change: 'added', differences }];
    if (!other) return [{ kind, name, change: 'removed', differences }];
    return differences.length > 0 ? [{ kind, name, change: 'changed', differences }] : [];
  });
}

/** The fields of all schemas by their xpaths. */
const fieldsOf = ({ schemas }: Pick<Model, 'schemas'>): ReadonlyMap<string, Property> =>
  new Map(
    [...schemas.values()].flatMap(({ properties }) =>
      [...properties.values()].map((property): [string, Property] => [property.xpath, property]),
    ),
  );

type Compared = Pick<Model, 'types' | 'facets' | 'schemas'>;

/** Returns the types, facets, schemas and fields that one model has and the other has not or defines differently. */
export const compareModels = (before: Compared, after: Compared): ModelChange[] => [
  ...compare('type', before.types, after.types, typeAttributes),
  ...compare('facet', before.facets, after.facets, facetAttributes),
  ...compare('schema', before.schemas, after.schemas, schemaAttributes),
  ...compare('field', fieldsOf(before), fieldsOf(after), fieldAttributes),
];
