import { type GraphQLSchema, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { ownDescriptions } from './own-descriptions.ts';
import { sharedDescriptions } from './shared-descriptions.ts';

/** Gives descriptions to the types and fields that come without one. */
export function describeSchema(schema: GraphQLSchema): GraphQLSchema {
  for (const type of Object.values(schema.getTypeMap())) {
    type.description ||= ownDescriptions[type.name];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) continue;
    for (const field of Object.values(type.getFields()))
      field.description ||= ownDescriptions[`${type.name}.${field.name}`] ?? sharedDescriptions[field.name];
  }
  return schema;
}
