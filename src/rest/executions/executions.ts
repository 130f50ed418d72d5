import type { Request } from 'express';
import type { GraphQLSchema } from 'graphql';
import type { BlobStore } from '../../blobs/blob-store.ts';
import { withoutTrailing } from '../../model/trailing.ts';
import { toOperation } from '../../selection/operation.ts';
import { call, input } from '../../selection/selection.ts';
import { documentETag, type TaggedHeaders } from '../answer/etag.ts';
import type { ServedBlob } from '../answer/send-blob.ts';
import { nothing, type StoredResponse, toResponseBody } from '../answer/send-response.ts';
import type { Route } from '../route.ts';

export const executionMutations = (schema: GraphQLSchema) => ({
  begin: toOperation(schema, 'mutation', { beginExecution: call({ operation: input('operation') }) }),
  end: toOperation(schema, 'mutation', {
    endExecution: call({ id: input('id'), answer: input('answer'), bulkCommand: input('bulkCommand') }),
  }),
});

/** Returns the id of the bulk action that an operation has started; null if it has not started one. */
export function begunCommand(shown: unknown): string | null {
  const { json } = (shown ?? {}) as { json?: { 'entity-type'?: unknown; commandId?: string } | null };
  return json?.['entity-type'] === 'bulkStatus' ? (json.commandId ?? null) : null;
}

/**
 * Returns the response to store for an execution. The blobs in it are marked as recently used, so that sweeps do
 * not delete them for another day.
 */
export async function toStoredResponse(
  route: Route,
  { headers, isSilent, userId }: { headers: TaggedHeaders; isSilent: boolean; userId: string },
  { shown, blobs }: { shown: unknown; blobs: BlobStore },
): Promise<StoredResponse> {
  const answer = toResponseBody(route, shown);
  const etag = documentETag({ entity: answer.value, headers, userId });
  if (isSilent) return { status: 204, answer: nothing, ...(etag && { etag }) };
  const files = answer.as === 'bytes' || answer.as === 'parts' ? [answer.value as ServedBlob].flat() : [];
  await Promise.all(files.filter(({ text }) => text === null).map(({ digest }) => blobs.renew(digest)));
  return { status: route.status, answer, ...(etag && { etag }) };
}

/**
 * Returns the absolute URL of a request. If a header selected the repository, the repository becomes part of the
 * path.
 */
export function requestUrl(request: Request, baseUrl: string, repository: string): string {
  const isNamed = request.params.repository !== undefined;
  return `${baseUrl}${isNamed ? '' : `/repo/${repository}`}${withoutTrailing(request.path, '/')}`;
}
