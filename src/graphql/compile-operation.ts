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
 * A schema with the same resolvers, in which a list of scalars is one value, and every scalar counts as a
 * text: compiled code passes texts on as they are. It would copy a list by two closures for each item: with
 * thirty permissions of each document, a tenth of the time of an enriched page.
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

/** TypeScript has checked what resolvers return, so leaf values are not checked again. */
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

/** Makes what runs an operation of REST; its errors and its data are those of GraphQL. */
export type OperationCompiler = (operation: GraphqlOperation) => Pick<CompiledQuery, 'query'>;

/**
 * Compiles operations to code. A mutation of one field needs no order, and is compiled as a query: the code
 * of mutations assigns functions to a property, and all that they reach would be kept until a full collection
 * of garbage (as in `sendQuery`).
 */
export function operationCompiler(schema: GraphQLSchema): OperationCompiler {
  const view = withWholeLists(schema);
  const mutations = new GraphQLSchema({ query: view.getMutationType(), assumeValid: true });
  return ({ document }) =>
    isMutationOfOne(document) ? compile(mutations, asQuery(document)) : compile(view, document);
}
