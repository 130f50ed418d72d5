import type { Request } from 'express';
import type { Route } from '../route.ts';

type Created = Readonly<Record<string, unknown>>;

/** A template tag that percent-encodes every value of an address. */
const at = (parts: TemplateStringsArray, ...values: readonly unknown[]): string =>
  String.raw({ raw: parts }, ...values.map((value) => encodeURIComponent(String(value))));

/**
 * The address of each kind of entity below `/api/v1`. Entities of other kinds are created at the address of
 * the request.
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
  webhook: ({ id }) => at`/management/webhooks/${id}`,
};

function addressOf(entity: unknown): string | undefined {
  if (typeof entity !== 'object' || entity === null) return undefined;
  const { 'entity-type': type, batchId, fileIdx } = entity as Created;
  if (batchId !== undefined) return at`/upload/${batchId}` + (fileIdx === undefined ? '' : at`/${fileIdx}`);
  return Object.hasOwn(addresses, String(type)) ? addresses[String(type)]?.(entity as Created) : undefined;
}

/**
 * The URL of what a request has created (`Location` of a 201, §4).
 * @param baseUrl the URL of `/api/v1` as the client reaches it, without a trailing slash.
 * @param createsAt the place of a resource whose entity does not determine it, as in `Route`.
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
