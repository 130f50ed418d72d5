import type { GraphQLSchema } from 'graphql';
import type { Context } from '../loaders/context.ts';

/**
 * Makes every mutation of a schema drop what the loaders have read before it: an operation may hold several
 * mutations, and each shows what is there after it.
 */
export function reloadAfterMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    field.resolve = async (source, given, context: Context, info) => {
      const result: unknown = await resolve?.(source, given, context, info);
      context.reload();
      return result;
    };
  }
  return schema;
}
