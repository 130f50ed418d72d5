import type { FieldDefinition, Fields, SchemaDefinition } from '../definitions.ts';

/** A schema whose name is the prefix of its xpaths. */
export const schemaOf = (name: string, fields: Fields): SchemaDefinition => ({ name, fields });

export const prefixedSchema = (name: string, prefix: string, fields: Fields): SchemaDefinition => ({
  name,
  prefix,
  fields,
});

/** A text of several lines, which may be as long as a body allows. */
export const longString: FieldDefinition = { type: 'string', long: true };
