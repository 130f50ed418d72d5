import type { Request } from 'express';
import type { Route } from '../route.ts';

type Created = Readonly<Record<string, unknown>>;

/** A template tag that builds a path and percent-encodes each value in it. */
const at = (parts: TemplateStringsArray, ...values: readonly unknown[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(String(value))));

/**
 * Functions that return the path of a new entity below `/api/v1`, by entity type. Entities of all other types are
 * created at the path of the request.
 */
const addresses: Readonly<Record<string, (entity: Created) => string>> = {
  document: ({ repository, uid }) => at`/repo/${repository}/id/${uid}`,
  user: ({ id }) => at`/user/${id}`,
  group: ({ id }) => at`/group/${id}`,
  directoryEntry: ({ directoryName, id }) => at`/directory/${directoryName}/${id}`,
  savedSearch: ({ id }) => at`/search/saved/${id}`,
  workflow: ({ id }) => at`/workflow/${id}`,
  comment: ({ parentId, id }) => at`/id/${parentId}/@comment/${id}`,
  annotation: ({ parentId, id }) => at`/id/${parentId}/@annotation/${id}`,
  oauth2Client: ({ id }) => at`/oauth2/client/${id}`,
  nuxeoOAuth2ServiceProvider: ({ serviceName }) => at`/oauth2/provider/${serviceName}`,
  shareLink: ({ id }) => at`/share/${id}`,
  webhook: ({ id }) => at`/management/webhooks/${id}`,
};

function addressOf(entity: unknown): string | undefined {
  if (typeof entity !== 'object' || entity === null) return undefined;
  const { 'entity-type': type, batchId, fileIdx } = entity as Created;
  if (batchId !== undefined) return at`/upload/${batchId}` + (fileIdx === undefined ? '' : at`/${fileIdx}`);
  return Object.hasOwn(addresses, String(type)) ? addresses[String(type)]?.(entity as Created) : undefined;
}

/**
 * Returns the URL of the resource that a request has created, for the `Location` header of a 201 (§4).
 * @param baseUrl the URL of `/api/v1` from the client's point of view, without a trailing slash
 * @param createsAt where the resource was created, if its entity does not show this; see `Route`
 */
export function locationOf(
  { originalUrl, baseUrl: mount }: Pick<Request, 'originalUrl' | 'baseUrl'>,
  entity: unknown,
  { baseUrl, createsAt }: { baseUrl: string; createsAt: Route['createsAt'] },
): string {
  const found = createsAt === undefined ? addressOf(entity) : undefined;
  const here = originalUrl.slice(mount.length).split('?', 1)[0] ?? '';
  const below = createsAt === 'id' ? at`/${(entity as Created).id}` : '';
  return baseUrl + (found ?? here.replace(/\/$/, '') + below);
}
