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

/** Records an absence and returns null. @throws the error itself when it does not mean absence. */
function nullFor(error: unknown, context: Context, info: GraphQLResolveInfo): null {
  if (!(error instanceof NotFound || error instanceof NothingToConvert)) throw error;
  context.absence ??= error;
  const { hints } = context;
  // A field without arguments needs no hint, since the client cannot have mistyped anything.
  if (hints && hints.length < maxHints && info.fieldNodes[0]?.arguments?.length)
    hints.push({ path: responsePathAsArray(info.path), message: error.message });
  return null;
}

/**
 * Makes a nullable field null, without an error, when its resolver throws `NotFound`, so that one absent document does
 * not discard the response to an operation that reads several. The first such error is stored in `context.absence`, to which
 * REST responds with 404, and the first ones become hints for tools. The fields of `Mutation` still fail, because they
 * have not done their work.
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
 * Clears the caches of the loaders after every mutation. An operation can contain several mutations, and the response of
 * each must show the state after it.
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
