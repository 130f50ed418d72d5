import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  getVariableValues,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';

/** What one GraphQL request may ask for; a page of 1,000 documents with thirty fields each is well within. */
export const limits = {
  /** Tokens of the document. */
  tokens: 2_000,
  /** Fields under another name than their own. */
  aliases: 50,
  /** Fields inside fields. */
  depth: 15,
  /** Fields that the answer may have, every entry of every list counted. */
  cost: 200_000,
} as const;

const tooMuch = (what: string, is: number, limit: number): GraphQLError =>
  new GraphQLError(`the operation is too expensive: ${what} ${is}, at most ${limit}`, {
    extensions: { code: 'INVALID', http: { status: 400 } },
  });

/** The operation alone, and the fragments it may use: a document can hold other operations, which cost nothing. */
function onlyWhatRuns({ document }: ExecutionArgs, operation: OperationDefinitionNode): DocumentNode {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { ...document, definitions: [operation, ...fragments] };
}

/** What GraphQL says of a variable that is not of its type, with a code; what a scalar threw would make it a 500. */
const asInvalid = ({ message, nodes }: GraphQLError): GraphQLError =>
  new GraphQLError(message, { nodes: nodes ?? null, extensions: { code: 'INVALID' } });

/**
 * What speaks against running an operation: variables of another type, or a limit that it exceeds; found out from
 * the operation and its variables alone. Where there is no operation, running it says so.
 */
export function objections(args: ExecutionArgs): readonly GraphQLError[] {
  const { schema, document, operationName } = args;
  const variables = args.variableValues ?? {};
  const operation = getOperationAST(document, operationName);
  if (!operation) return [];
  const { errors } = getVariableValues(schema, operation.variableDefinitions ?? [], variables);
  if (errors) return errors.map(asInvalid);
  const query = onlyWhatRuns(args, operation);
  const { depth, complexity } = complexityFromQuery(query, { schema, ctx: {}, variables });
  if (depth > limits.depth) return [tooMuch('depth', depth, limits.depth)];
  if (complexity > limits.cost) return [tooMuch('cost', complexity, limits.cost)];
  return [];
}
