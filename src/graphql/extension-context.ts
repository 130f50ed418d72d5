import { type DocumentNode, execute, type GraphQLSchema, getOperationAST, parse, validate } from 'graphql';
import { LRUCache } from 'lru-cache';
import { documentOperations } from '../automation/document-operations.ts';
import { documentAt } from '../automation/documents/document-at.ts';
import { Invalid } from '../errors.ts';
import type { DocumentText, ExtensionContext, TextPart } from '../extension.ts';
import { ExtensionError } from '../extensions/guarded.ts';
import type { LoadedExtension } from '../extensions/loaded.ts';
import { createContext } from '../loaders/context.ts';
import { fileText } from '../loaders/renditions/file-text.ts';
import type { Scope } from '../scope.ts';
import type { Services } from '../services.ts';
import { recordEntry } from '../store/extensions/log-entry.ts';
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

/**
 * Creates a context with new loaders, because those of the call may have cached documents before the function changed
 * them.
 */
const newContext = (scope: Scope) => createContext({ ...scope }, documentOperations);

/** The maximum and the default number of characters of a part of a text. */
const textLengths = { most: 100_000, default: 20_000 };

async function readText(
  scope: Scope,
  id: string,
  { xpath = '', start: from = 0, length = textLengths.default }: TextPart,
): Promise<DocumentText | null> {
  const context = newContext(scope);
  const found = await fileText(context, await documentAt(context, { id }), xpath);
  if (!found) return null;
  const start = Math.max(0, Math.trunc(from));
  const end = start + Math.min(Math.max(0, Math.trunc(length)), textLengths.most);
  // A character of two UTF-16 units at one of the ends may be cut in half.
  return { ...found, text: found.text.slice(start, end).toWellFormed(), start, total: found.text.length };
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
  const contextValue = newContext(scope);
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
  const { credential } = user;
  const application = credential && 'application' in credential ? credential.application : null;
  let operations = 0;
  const count = (text: string): void => {
    operations += 1;
    if (operations !== manyOperations) return;
    const operation = text.slice(0, 200);
    log.warn({ operation }, `An extension sent ${manyOperations} operations in one call of a function.`);
  };
  return {
    user: { id: user.id, groups: user.groups, isAdministrator: user.isAdministrator },
    application,
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
    readText: async (id, part = {}) => {
      count('readText');
      return readText(scope, id, part);
    },
    record: async (entry) => {
      if (!isWriter) throw new ExtensionError('record cannot be called in a read-only function.');
      const { document: id } = entry;
      const document = id === undefined ? undefined : await documentAt(newContext(scope), { id });
      await recordEntry(scope, { extension: extension.name, application }, entry, document);
    },
  };
}
