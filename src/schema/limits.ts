import { complexityFromQuery } from '@pothos/plugin-complexity';
import { type DocumentNode, type ExecutionArgs, GraphQLError, getOperationAST, Kind } from 'graphql';

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

/** The operation that will run, and the fragments it may use: a document can hold others, which cost nothing. */
function onlyWhatRuns({ document, operationName }: ExecutionArgs): DocumentNode {
  const operation = getOperationAST(document, operationName);
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { ...document, definitions: operation ? [operation, ...fragments] : fragments };
}

/** What is too much about an operation; found out from the operation and its variables alone. */
export function excess(args: ExecutionArgs): GraphQLError | undefined {
  const { depth, complexity } = complexityFromQuery(onlyWhatRuns(args), {
    schema: args.schema,
    ctx: {},
    variables: args.variableValues ?? {},
  });
  if (depth > limits.depth) return tooMuch('depth', depth, limits.depth);
  if (complexity > limits.cost) return tooMuch('cost', complexity, limits.cost);
  return undefined;
}
