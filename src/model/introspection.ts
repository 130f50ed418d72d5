import { type Described, describeAll } from './describe-constraints.ts';
import type { Model, Property, Schema } from './model.ts';

type ShownFields = Record<string, unknown>;

type Show = (property: Property) => unknown;

const showAll = (properties: ReadonlyMap<string, Property>, show: Show): ShownFields =>
  Object.fromEntries([...properties].map(([name, property]) => [name, show(property)]));

const typeOf = ({ type, many }: Property): string => (many ? `${type}[]` : type);

const showType: Show = (property) =>
  property.type === 'complex'
    ? { type: typeOf(property), fields: showAll(property.fields, showType) }
    : typeOf(property);

const showConstraint = (described: Described) => ({ 'entity-type': 'validation_constraint', ...described });

const showInFull: Show = (property) => {
  const { constraints, itemConstraints } = describeAll(property);
  return {
    type: typeOf(property),
    ...(property.type === 'complex' && { fields: showAll(property.fields, showInFull) }),
    constraints: constraints.map(showConstraint),
    itemConstraints: itemConstraints.map(showConstraint),
  };
};

/** A schema's fields by name: `"string"`, `"date"`, `"string[]"`, `{"type": "complex", "fields": {…}}` (§4.6). */
export const showFields = ({ properties }: Schema): ShownFields => showAll(properties, showType);

/** The same, each with its type and its constraints: `{"type": "string", "constraints": […], "itemConstraints": []}`. */
export const showFieldsInFull = ({ properties }: Schema): ShownFields => showAll(properties, showInFull);

/** All types and schemas by name, as the reference implementation lists them (§4.6). */
export function showTypes({ types, schemas }: Model): { doctypes: ShownFields; schemas: ShownFields } {
  const doctypes = [...types.values()].map((type) => {
    const names = type.schemas.map(({ name }) => name);
    return [type.name, { parent: type.parent ?? 'None!!!', facets: type.facets, schemas: names }];
  });
  const shown = [...schemas.values()].map((schema) => {
    const prefix = schema.declaredPrefix === undefined ? {} : { '@prefix': schema.declaredPrefix };
    return [schema.name, { ...prefix, ...showFields(schema) }];
  });
  return { doctypes: Object.fromEntries(doctypes), schemas: Object.fromEntries(shown) };
}
