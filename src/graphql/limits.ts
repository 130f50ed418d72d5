import { complexityFromQuery } from '@pothos/plugin-complexity';
import {
  coerceInputValue,
  type DocumentNode,
  type ExecutionArgs,
  GraphQLError,
  getOperationAST,
  isInputType,
  isNonNullType,
  Kind,
  type OperationDefinitionNode,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';

/** The number of faults that an answer names. */
const maxFaults = 100;

/** Characters of a message; it can quote a value, or the name of a field. */
const maxMessage = 500;

const cut = (text: string): string => (text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text);

/** A value as a message quotes it: lists and objects can be as large as a body, and are not quoted. */
const quoted = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
};

class EnoughFaults extends Error {}

/**
 * Finds faults in the variables of an operation. graphql-js has `getVariableValues` for this, but quotes the whole
 * value in the message of each fault, so that time and memory grow with the square of the body's length. The search
 * ends after 100 faults.
 */
function variableFaults(
  { schema, variableValues }: Pick<ExecutionArgs, 'schema' | 'variableValues'>,
  { variableDefinitions = [] }: OperationDefinitionNode,
): readonly GraphQLError[] {
  const errors: GraphQLError[] = [];
  const values = variableValues ?? {};
  const add = (nodes: VariableDefinitionNode, message: string): void => {
    errors.push(new GraphQLError(cut(message), { nodes, extensions: { code: 'INVALID' } }));
    if (errors.length < maxFaults) return;
    errors.push(new GraphQLError('The variables may have more faults.', { extensions: { code: 'INVALID' } }));
    throw new EnoughFaults();
  };
  const check = (definition: VariableDefinitionNode): void => {
    const name = definition.variable.name.value;
    const type = typeFromAST(schema, definition.type as never);
    const value = values[name];
    if (!type || !isInputType(type)) {
      add(definition, `Variable "$${name}" does not have an input type.`);
    } else if (!Object.hasOwn(values, name)) {
      if (isNonNullType(type) && !definition.defaultValue)
        add(definition, `Variable "$${name}" of required type "${type}" was not provided.`);
    } else if (value === null && isNonNullType(type)) {
      add(definition, `Variable "$${name}" of non-null type "${type}" must not be null.`);
    } else {
      const onFault = (path: readonly (string | number)[], invalid: unknown, { message }: GraphQLError) => {
        const at = path.length > 0 ? ` at "${cut([name, ...path].join('.'))}"` : '';
        add(definition, `Variable "$${name}" got invalid value ${quoted(invalid)}${at}; ${message}`);
      };
      // Without suggestions: each name would be compared with all names of the type, which takes milliseconds for a
      // long one.
      coerceInputValue(value, type, onFault, true);
    }
  };
  try {
    for (const definition of variableDefinitions) check(definition);
  } catch (error) {
    if (!(error instanceof EnoughFaults)) throw error;
  }
  return errors;
}

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
