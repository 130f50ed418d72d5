import {
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isNonNullType,
  isObjectType,
  responsePathAsArray,
} from 'graphql';
import { NotFound, NothingToConvert } from '../errors.ts';
import type { Context } from '../loaders/context.ts';

/** The maximum number of hints in a response. */
const maxHints = 20;

/**
 * Records that something does not exist, and returns null.
 * @throws the error itself if it does not mean that something is missing
 */
function nullFor(error: unknown, context: Context, info: GraphQLResolveInfo): null {
  if (!(error instanceof NotFound || error instanceof NothingToConvert)) throw error;
  context.absence ??= error;
  const { hints } = context;
  // A field without arguments needs no hint, because the client cannot have made a mistake in them.
  if (hints && hints.length < maxHints && info.fieldNodes[0]?.arguments?.length)
    hints.push({ path: responsePathAsArray(info.path), message: error.message });
  return null;
}

/**
 * Makes nullable fields null if their resolver throws `NotFound`, so that one missing document does not invalidate the
 * response to an operation that reads several. The first such error is stored in `context.absence`, so that REST can
 * respond with 404; the first few errors become hints for tools. Fields of `Mutation` still fail, because their work
 * has not been done.
 */
export function absentIsNull(schema: GraphQLSchema): GraphQLSchema {
  const roots = new Set<unknown>([schema.getMutationType(), schema.getSubscriptionType()]);
  const types = Object.values(schema.getTypeMap()).filter(isObjectType);
  for (const type of types.filter((each) => !roots.has(each) && !each.name.startsWith('__'))) {
    for (const field of Object.values(type.getFields())) {
      const { resolve } = field;
      if (!resolve || isNonNullType(field.type)) continue;
      field.resolve = (source, input, context: Context, info) => {
        try {
          const value: unknown = resolve(source, input, context, info);
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
 * Clears the caches of the loaders after each mutation. An operation can contain several mutations, and the
 * response to each must show the state after it.
 */
export function reloadAfterMutations(schema: GraphQLSchema): GraphQLSchema {
  for (const field of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const { resolve } = field;
    field.resolve = async (source, input, context: Context, info) => {
      const result: unknown = await resolve?.(source, input, context, info);
      context.reload();
      return result;
    };
  }
  return schema;
}
