import type { FieldDefinition, Fields, SchemaDefinition } from '../definitions.ts';

/** Defines a schema whose name is also the prefix of its xpaths. */
export const schemaOf = (name: string, fields: Fields): SchemaDefinition => ({ name, fields });

export const prefixedSchema = (name: string, prefix: string, fields: Fields): SchemaDefinition => ({
  name,
  prefix,
  fields,
});

/** A string with any number of lines, limited only by the size of the request body. */
export const longString: FieldDefinition = { type: 'string', long: true };
