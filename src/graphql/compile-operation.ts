import { type DocumentNode, GraphQLSchema, Kind, OperationTypeNode } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import type { GraphqlOperation } from '../selection/operation.ts';
import { withWholeLists } from './whole-lists.ts';

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
