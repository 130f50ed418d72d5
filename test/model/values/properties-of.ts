import type { FieldDefinition, FieldType } from '../../../src/model/definitions.ts';
import type { Property, Schema } from '../../../src/model/model.ts';
import { modelOf } from '../model-of.ts';

/** A schema with these fields, called `s`, prefix `p`. */
export function schemaOf(fields: Record<string, FieldDefinition | FieldType>): Schema {
  const directories = [{ name: 'continents', schema: 'word' }];
  const word = { name: 'word', fields: { id: 'string' } } as const;
  const schemas = [{ name: 's', prefix: 'p', fields }, word];
  const schema = modelOf({
    schemas,
    directories,
  }).schemas.get('s');
  if (!schema) throw new Error('the model lacks its schema');
  return schema;
}

/** A property of this definition, with the xpath `p:x`. */
export function propertyOf(definition: FieldDefinition | FieldType): Property {
  const property = schemaOf({ x: definition }).properties.get('x');
  if (!property) throw new Error('the schema lacks its property');
  return property;
}
