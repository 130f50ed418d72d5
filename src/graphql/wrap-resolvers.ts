import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import { NotFound, NothingToConvert } from '../errors.ts';
import type { Context } from '../loaders/context.ts';

/** Hints that an answer has at most. */
const mostHints = 20;

/** @throws an error of another kind. */
function nullFor(error: unknown, context: Context, info: GraphQLResolveInfo): null {
  if (!(error instanceof NotFound || error instanceof NothingToConvert)) throw error;
  context.absence ??= error;
  const { hints } = context;
  // Without an argument nothing can be mistyped.
  if (hints && hints.length < mostHints && info.fieldNodes[0]?.arguments?.length)
    hints.push({ path: responsePathAsArray(info.path), message: error.message });
  return null;
}

/**
 * Makes absence a value: a nullable field whose resolver throws `NotFound` is null without an error, so that one
 * absent document does not empty the answer to an operation that reads several. The first such error is kept as
 * `context.absence`, of which REST makes its 404, and the first ones become hints for tools. The fields of `Mutation`
 * still fail: they could not do their work.
 */
export function absentIsNull(schema: GraphQLSchema): GraphQLSchema {
  const roots = new Set<unknown>([schema.getMutationType(), schema.getSubscriptionType()]);
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const type of types.filter((each) => !roots.has(each) && !each.name.startsWith('__'))) {
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || isNonNullType(field.type)) continue;
      field.resolve = (source, given, context: Context, info) => {
        try {
          const value: unknown = resolve(source, given, context, info);
          return value instanceof Promise ? value.catch((error) => nullFor(error, context, info)) : value;
        } catch (error) {
          return nullFor(error, context, info);
        }
      };
    }
  }
  return schema;
}

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
