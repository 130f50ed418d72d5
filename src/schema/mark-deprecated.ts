import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { deprecations, deprecationText } from '../deprecations.ts';

/** Adds `@deprecated` to the deprecated fields of a schema. @throws Error if a field does not exist */
export function markDeprecated(schema: GraphQLSchema, fields = deprecations.fields): GraphQLSchema {
  for (const [name, deprecation] of Object.entries(fields)) {
    const [typeName = '', fieldName = ''] = name.split('.');
    const type = schema.getType(typeName);
    const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[fieldName] : undefined;
    if (!field) throw new Error(`${name} is deprecated, but does not exist.`);
    field.deprecationReason = deprecationText(deprecation);
  }
  return schema;
}
