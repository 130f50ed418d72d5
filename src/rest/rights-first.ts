import type { Request } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { Permission } from '../security/permissions.ts';
import { type GraphqlOperation, toOperation } from '../selection/operation.ts';
import type { RunGraphql } from '../selection/run.ts';
import { call, input } from '../selection/selection.ts';
import { addressedDocument, type InputSource } from './request/inputs.ts';

/**
 * The permission that a request requires on the documents that it names. The permission is checked before the body is
 * processed (§7).
 */
export interface Guard {
  readonly needs: Permission;
  /**
   * Returns the ids or paths of the documents that the request names.
   * @param json the body; undefined if it has not been read yet
   */
  readonly documents: (source: InputSource, json: unknown) => readonly string[];
}

/** Creates a guard that requires a permission on the document in the URL of the request. */
export const addressedGuard = (needs: Permission): Guard => ({
  needs,
  documents: (source) => [addressedDocument(source)],
});

export const permittedOperation = (schema: GraphQLSchema): GraphqlOperation =>
  toOperation(schema, 'query', {
    permitted: call({ documents: input('documents'), permission: input('permission') }),
  });

/** @throws NotFound, Forbidden in the same cases as the write itself */
export async function requirePermitted(
  ask: RunGraphql,
  permitted: GraphqlOperation,
  { needs, documents }: Guard,
  { source, json }: { readonly source: InputSource; readonly json?: unknown },
): Promise<void> {
  const named = documents(source, json);
  if (named.length > 0) await ask(permitted, { documents: named, permission: needs });
}

/** The number of bytes above which parsing a body costs more than the statement that checks the permission. */
const largeBody = 100_000;

export const isLargeBody = ({ headers }: Pick<Request, 'headers'>): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > largeBody;
