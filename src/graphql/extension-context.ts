import { type DocumentNode, execute, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentOperations } from '../automation/document-operations.ts';
import { Invalid } from '../errors.ts';
import type { ExtensionContext } from '../extension.ts';
import { ExtensionError } from '../extensions/guarded.ts';
import type { LoadedExtension } from '../extensions/loaded.ts';
import { createContext } from '../loaders/context.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services.ts';
import { nextNumber } from '../store/extensions/sequences.ts';
import { runExtensionSql } from '../store/extensions/sql.ts';

const schemas = new WeakMap<object, GraphQLSchema>();

/** Registers the schema that extensions use in all requests with these services. */
export const useSchema = (schema: GraphQLSchema, services: Services): void =>
  void schemas.set(services, schema);

/**
 * Parsed and validated operations by their text. An extension has only a few, because it passes values as variables.
 */
const parsed = new LRUCache<string, DocumentNode>({ max: 1_000 });

function operationOf(schema: GraphQLSchema, text: string): DocumentNode {
  const known = parsed.get(text);
  if (known) return known;
  const document = parse(text, { noLocation: true });
  const [fault] = validate(schema, document);
  if (fault) throw fault;
  parsed.set(text, document);
  return document;
}

async function runOperation(
  scope: Scope,
  {
    text,
    variables,
    isWriter,
  }: { text: string; variables: Readonly<Record<string, unknown>>; isWriter: boolean },
): Promise<Record<string, unknown>> {
  const schema = schemas.get(scope.services);
  if (!schema) throw new ExtensionError('There is no GraphQL schema.');
  const document = operationOf(schema, text);
  const kind = getOperationAST(document)?.operation;
  if (kind !== 'query' && !(kind === 'mutation' && isWriter))
    throw new ExtensionError(
      `A ${kind ?? 'document without an operation'} cannot run in a read-only function.`,
    );
  // The call's loaders may have cached documents before the function changed them, so this uses new loaders.
  const contextValue = createContext({ ...scope }, documentOperations);
  const { data, errors } = await execute({ schema, document, variableValues: variables, contextValue });
  const error = errors?.[0];
  if (error) throw error.originalError ?? new Invalid(error.message);
  return data ?? {};
}

/**
 * If a function sends at least this many GraphQL operations and SQL statements in one call, a log entry names its
 * extension.
 */
const manyOperations = 20;

/**
 * Creates the context that an extension's function receives in a call. The kind of the call determines whether the
 * function can write.
 */
export function extensionContext(scope: Scope, extension: LoadedExtension): ExtensionContext {
  const { user, options, searchTurn, services } = scope;
  const isWriter = searchTurn.isWrite;
  const log = services.log.child({ extension: extension.name });
  let operations = 0;
  const count = (text: string): void => {
    operations += 1;
    if (operations !== manyOperations) return;
    const operation = text.slice(0, 200);
    log.warn({ operation }, `An extension sent ${manyOperations} operations in one call of a function.`);
  };
  return {
    user: { id: user.id, groups: user.groups, isAdministrator: user.isAdministrator },
    repository: options.repository,
    settings: extension.settings,
    log,
    graphql: async <Data>(text: string, variables = {}) => {
      count(text);
      return (await runOperation(scope, { text, variables, isWriter })) as Data;
    },
    sql: async <Row>(text: string, values: readonly unknown[] = []) => {
      count(text);
      return runExtensionSql<Row>(scope.db, text, values, isWriter);
    },
    nextNumber: async (name) => {
      if (!isWriter) throw new ExtensionError('nextNumber cannot be called in a read-only function.');
      return nextNumber(scope.db, extension.name, name);
    },
  };
}
