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

/** The maximum number of errors that a response lists. */
const maxFaults = 100;

/** The maximum length of an error message, which can contain a value or a field name. */
const maxMessage = 500;

const cut = (text: string): string => (text.length > maxMessage ? `${text.slice(0, maxMessage)}…` : text);

/**
 * Formats a value for a message. Lists and objects are replaced with a description, because they can be as large as
 * a body.
 */
const quoted = (value: unknown): string => {
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object' && value !== null) return 'an object';
  return typeof value === 'string' ? JSON.stringify(value.slice(0, 80)) : String(value);
};

class EnoughFaults extends Error {}

/**
 * Finds errors in the variables of an operation. graphql-js has `getVariableValues` for this, but each of its messages
 * contains the whole value, so time and memory would grow with the square of the body's size. The search stops after
 * 100 errors.
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
    errors.push(
      new GraphQLError('The variables may contain further errors.', { extensions: { code: 'INVALID' } }),
    );
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
        add(
          definition,
          `Variable "$${name}" got invalid value ${quoted(invalid)}${at}; ${message.slice(0, 160)}`,
        );
      };
      // The last argument disables suggestions ("Did you mean …?"), because comparing a long name with all names of the
      // type takes milliseconds.
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

/** The limits of a request to /graphql. A page of 1,000 documents with thirty fields each is well below them. */
export const requestLimits = {
  tokens: 2_000,
  aliases: 50,
  depth: 15,
  /** The maximum estimated number of fields in the response, counting each entry of each list. */
  cost: 200_000,
} as const;

const tooMuch = (what: string, is: number, limit: number): GraphQLError =>
  new GraphQLError(`The operation is too expensive: its ${what} is ${is}, but the limit is ${limit}.`, {
    extensions: { code: 'INVALID', http: { status: 400 } },
  });

/**
 * Returns a document that contains only the operation to be executed and the fragments, because other operations cost
 * nothing.
 */
function executedPart({ document }: ExecutionArgs, operation: OperationDefinitionNode): DocumentNode {
  const fragments = document.definitions.filter(({ kind }) => kind === Kind.FRAGMENT_DEFINITION);
  return { ...document, definitions: [operation, ...fragments] };
}

/** Finds invalid variables and exceeded limits without executing the operation. */
export function requestErrors(args: ExecutionArgs): readonly GraphQLError[] {
  const { schema, document, operationName } = args;
  const variables = args.variableValues ?? {};
  const operation = getOperationAST(document, operationName);
  if (!operation) return [];
  const faults = variableFaults(args, operation);
  if (faults.length > 0) return faults;
  const query = executedPart(args, operation);
  const { depth, complexity } = complexityFromQuery(query, { schema, ctx: {}, variables });
  if (depth > requestLimits.depth) return [tooMuch('depth', depth, requestLimits.depth)];
  if (complexity > requestLimits.cost) return [tooMuch('cost', complexity, requestLimits.cost)];
  return [];
}
