import type { FieldDefinition, Fields, SchemaDefinition } from '../definitions.ts';

/** A schema whose name is also the prefix of its xpaths. */
export const schemaOf = (name: string, fields: Fields): SchemaDefinition => ({ name, fields });

export const prefixedSchema = (name: string, prefix: string, fields: Fields): SchemaDefinition => ({
  name,
  prefix,
  fields,
});

/** A text of any number of lines, limited only by the size of a body. */
export const longString: FieldDefinition = { type: 'string', long: true };
