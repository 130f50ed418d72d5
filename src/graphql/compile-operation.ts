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
 * Returns a schema with the same resolvers, in which every scalar and every list of scalars is of type String, because
 * compiled code passes strings through unchanged. Otherwise it would copy lists with two closures for each item: with
 * thirty permissions per document, that takes a tenth of the time of an enriched page.
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

/** Skips the validation of scalars at run time, since TypeScript has checked what resolvers return. */
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

/** Compiles an operation of REST to a function that returns data and errors like GraphQL's `execute`. */
export type OperationCompiler = (operation: GraphqlOperation) => Pick<CompiledQuery, 'query'>;

/**
 * Creates a compiler of operations. A mutation with a single field needs no serial execution, so it is compiled as a
 * query: compiled mutations assign functions to a property of an old object, and everything reachable from these
 * functions would be retained until a full garbage collection (as in `sendQuery`).
 */
export function operationCompiler(schema: GraphQLSchema): OperationCompiler {
  const view = withWholeLists(schema);
  const mutations = new GraphQLSchema({ query: view.getMutationType(), assumeValid: true });
  return ({ document }) =>
    isMutationOfOne(document) ? compile(mutations, asQuery(document)) : compile(view, document);
}
