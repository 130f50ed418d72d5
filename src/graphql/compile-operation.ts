import {
  type DocumentNode,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLOutputType,
  GraphQLSchema,
  GraphQLString,
  getNullableType,
  isLeafType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  OperationTypeNode,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { GraphqlOperation } from '../selection/operation.ts';

/**
 * Returns a schema with the same resolvers, but in which every scalar and every list of scalars has the type String.
 * Compiled code passes strings through unchanged, whereas it copies lists and creates two closures per item. For
 * documents with thirty permissions each, copying would account for a tenth of the time that a page with enrichers
 * takes.
 */
function withWholeLists(schema: GraphQLSchema): GraphQLSchema {
  const copies = new Map<GraphQLObjectType, GraphQLObjectType>();
  const copyOf = (type: GraphQLObjectType): GraphQLObjectType => {
    const known = copies.get(type);
    if (known) return known;
    const config = type.toConfig();
    const fields = () =>
      Object.fromEntries(
        Object.entries(config.fields).map(([name, field]) => [name, { ...field, type: typeOf(field.type) }]),
      );
    const copy = new GraphQLObjectType({ ...config, interfaces: [], fields });
    copies.set(type, copy);
    return copy;
  };
  function typeOf(type: GraphQLOutputType): GraphQLOutputType {
    if (isNonNullType(type)) return new GraphQLNonNull(getNullableType(typeOf(type.ofType)));
    if (isLeafType(type)) return GraphQLString;
    if (isListType(type)) {
      return isLeafType(getNullableType(type.ofType)) ? GraphQLString : new GraphQLList(typeOf(type.ofType));
    }
    return isObjectType(type) ? copyOf(type) : type;
  }
  const [query, mutation] = [schema.getQueryType(), schema.getMutationType()];
  return new GraphQLSchema({
    query: query && copyOf(query),
    mutation: mutation && copyOf(mutation),
    assumeValid: true,
  });
}

/** Skips the serialization of scalars at run time, because TypeScript has already checked what resolvers return. */
const options = { disableLeafSerialization: true };

function compile(schema: GraphQLSchema, document: DocumentNode): CompiledQuery {
  const compiled = compileQuery(schema, document, undefined, options);
  if (!isCompiledQuery(compiled)) throw new Error(compiled.errors?.map(({ message }) => message).join('; '));
  return compiled;
}

const isMutationOfOne = ({ definitions: [operation] }: DocumentNode): boolean =>
  operation?.kind === Kind.OPERATION_DEFINITION &&
  operation.operation === OperationTypeNode.MUTATION &&
  operation.selectionSet.selections.length === 1;

const asQuery = (document: DocumentNode): DocumentNode => ({
  ...document,
  definitions: document.definitions.map((each) =>
    each.kind === Kind.OPERATION_DEFINITION ? { ...each, operation: OperationTypeNode.QUERY } : each,
  ),
});

/** Compiles a REST operation into a function that returns data and errors like GraphQL's `execute`. */
export type OperationCompiler = (operation: GraphqlOperation) => Pick<CompiledQuery, 'query'>;

/**
 * Creates a compiler of operations. A mutation with a single field does not need serial execution, so it is compiled as
 * a query: compiled mutations assign functions to a property of a long-lived object, and everything reachable from
 * these functions would remain in memory until a full garbage collection.
 */
export function operationCompiler(schema: GraphQLSchema): OperationCompiler {
  const view = withWholeLists(schema);
  const mutations = new GraphQLSchema({ query: view.getMutationType(), assumeValid: true });
  return ({ document }) =>
    isMutationOfOne(document) ? compile(mutations, asQuery(document)) : compile(view, document);
}
