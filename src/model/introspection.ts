import type { Model, Property, Schema } from './model.ts';
import { type ConstraintDescription, describePropertyConstraints } from './values/describe-constraints.ts';

type RenderedFields = Record<string, unknown>;

type Render = (property: Property) => unknown;

const renderAll = (properties: ReadonlyMap<string, Property>, render: Render): RenderedFields =>
  Object.fromEntries([...properties].map(([name, property]) => [name, render(property)]));

const typeOf = ({ type, many }: Property): string => (many ? `${type}[]` : type);

const renderType: Render = (property) =>
  property.type === 'complex'
    ? { type: typeOf(property), fields: renderAll(property.fields, renderType) }
    : typeOf(property);

const renderConstraint = (described: ConstraintDescription) => ({
  'entity-type': 'validation_constraint',
  ...described,
});

const renderInFull: Render = (property) => {
  const { constraints, itemConstraints } = describePropertyConstraints(property);
  return {
    type: typeOf(property),
    ...(property.type === 'complex' && { fields: renderAll(property.fields, renderInFull) }),
    constraints: constraints.map(renderConstraint),
    itemConstraints: itemConstraints.map(renderConstraint),
  };
};

/** Returns the types of a schema's fields (§4.6): `"string"`, `"date[]"`, `{"type": "complex", "fields": {…}}`. */
export const renderFields = ({ properties }: Schema): RenderedFields => renderAll(properties, renderType);

/**
 * Returns a schema's fields with their constraints: `{"type": "string", "constraints": […], "itemConstraints": []}`.
 */
export const renderFieldsInFull = ({ properties }: Schema): RenderedFields =>
  renderAll(properties, renderInFull);

/** Returns all types by name, in the form in which the reference implementation lists them (§4.6). */
export const renderTypes = ({ types }: Model): RenderedFields =>
  Object.fromEntries(
    [...types.values()].map((type) => {
      const schemas = type.schemas.map(({ name }) => name);
      return [type.name, { parent: type.parent ?? 'None!!!', facets: type.facets, schemas }];
    }),
  );

/** Returns all schemas by name, in the form in which the reference implementation lists them (§4.6). */
export const renderSchemas = ({ schemas }: Model): RenderedFields =>
  Object.fromEntries(
    [...schemas.values()].map((schema) => {
      const prefix = schema.declaredPrefix === undefined ? {} : { '@prefix': schema.declaredPrefix };
      return [schema.name, { ...prefix, ...renderFields(schema) }];
    }),
  );
