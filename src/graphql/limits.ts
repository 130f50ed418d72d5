import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  Kind,
  type OperationDefinitionNode,
} from 'graphql';
import { variableFaults } from './variable-faults.ts';

/** Limits of one request to /graphql; a page of 1,000 documents with thirty fields each is well within. */
export const requestLimits = {
  tokens: 2_000,
  aliases: 50,
  depth: 15,
  /** Fields of the answer, with every entry of every list counted. */
  cost: 200_000,
} as const;

const tooMuch = (what: string, is: number, limit: number): GraphQLError =>
  new GraphQLError(`the operation is too expensive: ${what} ${is}, at most ${limit}`, {
    extensions: { code: 'INVALID', http: { status: 400 } },
  });

/** Without the other operations of the document, which do not run and so cost nothing. */
function onlyWhatRuns({ document }: ExecutionArgs, operation: OperationDefinitionNode): DocumentNode {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { ...document, definitions: [operation, ...fragments] };
}

/** Faulty variables and exceeded limits, found without running the operation. */
export function requestErrors(args: ExecutionArgs): readonly GraphQLError[] {
  const { schema, document, operationName } = args;
  const variables = args.variableValues ?? {};
  const operation = getOperationAST(document, operationName);
  if (!operation) return [];
  const faults = variableFaults(args, operation);
  if (faults.length > 0) return faults;
  const query = onlyWhatRuns(args, operation);
  const { depth, complexity } = complexityFromQuery(query, { schema, ctx: {}, variables });
  if (depth > requestLimits.depth) return [tooMuch('depth', depth, requestLimits.depth)];
  if (complexity > requestLimits.cost) return [tooMuch('cost', complexity, requestLimits.cost)];
  return [];
}
