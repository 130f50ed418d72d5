import type { Model, Property, Schema } from './model.ts';

type ShownFields = Record<string, unknown>;

function showField({ type, many, fields }: Property): unknown {
  const name = many ? `${type}[]` : type;
  return type === 'complex' ? { type: name, fields: showAll(fields) } : name;
}

const showAll = (properties: ReadonlyMap<string, Property>): ShownFields =>
  Object.fromEntries([...properties].map(([name, property]) => [name, showField(property)]));

/** A schema's fields by name: `"string"`, `"date"`, `"string[]"`, `{"type": "complex", "fields": {…}}` (§4.6). */
export const showFields = ({ properties }: Schema): ShownFields => showAll(properties);

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
