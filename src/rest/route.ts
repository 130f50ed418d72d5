import type { Operation } from '../automation/operation.ts';
import type { OperationKind } from '../selection/operation.ts';
import { input, queryArguments, type Selection } from '../selection/selection.ts';
import type { Entities } from './entities.ts';
import type { BodyReader } from './request/body.ts';
import type { Guard } from './rights-first.ts';

/**
 * How a route reads its body:
 * - `json`: JSON
 * - `call`: the JSON of an operation call, or a form that contains it (§4.7)
 * - `callWithFiles`: like `call`, also with files
 * - `oneFile`: the bytes of a file, or a form with one file
 * - `file`: the bytes of a file for an upload batch
 * - `fields`: JSON, or a form whose fields have the same names
 * - `jsonWithFile`: JSON, or a form with the JSON and one file
 */
export type BodyForm = 'json' | 'call' | 'callWithFiles' | 'oneFile' | 'file' | 'fields' | 'jsonWithFile';

/** A row in the table of routes (§4). */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** The Express pattern of the path; `{*path}` is the path of a document. */
  readonly path: string;
  /** The `operationId` in openapi.json, such as `getMe`. It is unique. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly kind: OperationKind;
  readonly status: 200 | 201 | 202 | 204;
  /** An alternative status of successful calls, its description, and when it is sent. A 204 has no body. */
  readonly alternative?: {
    readonly status: 202 | 204;
    readonly description: string;
    readonly when: (entity: unknown) => boolean;
    /** The field of the entity that contains the value of the `Location` header. */
    readonly location?: string;
  };
  /**
   * Where a resource is created (`Location` of a 201) if its entity does not show it: `address` means at the URL of the
   * request, for example when a member is added to a group; `id` means at the entity's `id` below that URL.
   */
  readonly createsAt?: 'address' | 'id';
  /** The status if the entity does not exist, unless it is 404 (§4.5, §4.6). */
  readonly absentStatus?: 204;
  readonly body?: BodyReader;
  /** The permission that is checked before a large body is read and before errors in a body are reported. */
  readonly guard?: Guard;
  readonly bodyForm: BodyForm;
  /** Descriptions of path parameters that only this route has. */
  readonly pathParameters?: Readonly<Record<string, string>>;
  /** Set for queries that use uploads, which are deleted afterwards (§4.7). */
  readonly endsUploads?: true;
  /** Selects the root field of the GraphQL schema that the route uses. Each route uses only one. */
  readonly select: (entities: Entities) => Selection;
  /** A query that runs first. The ids of the documents that it finds become the input `listed`. */
  readonly lists?: { readonly select: Selection; readonly path: readonly string[] };
  /** The path of the result in the GraphQL data; the root field if absent. */
  readonly resultPath?: readonly string[];
  /**
   * How the response is sent:
   * - `entity`: as JSON
   * - `bytes`: a blob, streamed
   * - `text`: the value itself
   * - `page`: an HTML page
   * - `result`: the result of an operation, in the form that its kind requires
   * - `execution`: the state of an asynchronous execution
   * - `conversion`: a file, or the URL at which to poll for it
   */
  readonly answer: 'entity' | 'bytes' | 'text' | 'page' | 'result' | 'execution' | 'conversion';
  /**
   * The id of the operation that the route calls, or `addressedOperation` if the path contains it. `PATH/@async`
   * calls the operation asynchronously.
   */
  readonly operation?: string;
  /** A header outside of §9 that `Vary` lists, because the response depends on it. */
  readonly varies?: string;
  /** Whether `result` is always sent as JSON. */
  readonly isJson?: boolean;
  /** The CSV columns for list entries, if the route supports `Accept: text/csv`. */
  readonly csv?: readonly string[] | 'documents';
  /**
   * Set if the route can need an external program to convert a file. It responds with 501 if the program is not
   * installed.
   */
  readonly needsPrograms?: true;
  /**
   * Set if the route is only for administrators: openapi.json omits it, and its operation responds with 403 to
   * other users. The GraphQL schema still checks permissions.
   */
  readonly isHidden?: true;
  /** Whether guests, who have no account, can use the route. Otherwise the route responds to guests with 403. */
  readonly forGuests?: true;
  /**
   * The path of the shared entry in openapi.json for routes that differ only in the name of their operation.
   */
  readonly openApiPath?: string;
  /**
   * Creates the route for one of the server's operations, called by its id or an alias, if the path contains
   * `:operation`. The new route takes precedence over this one, which serves all other names.
   */
  readonly ofOperation?: (operation: Operation, name: string) => Route;
}

/** The path parameter that contains the name of an operation. */
export const addressedOperation = ':operation';

export const isJsonOnly = ({ answer, isJson = answer === 'entity' }: Route): boolean => isJson;

export type RouteOptions = Pick<Route, 'name' | 'summary'> &
  Partial<Omit<Route, 'method' | 'path' | 'select' | 'body'>>;
type Select = Route['select'];

/** Creates a function that defines routes with a method. Its `options` override the method's defaults. */
const routeOf =
  (defaults: Pick<Route, 'method' | 'kind' | 'status'>) =>
  (path: string, body: BodyReader | undefined, select: Select, options: RouteOptions): Route => ({
    ...defaults,
    path,
    answer: 'entity',
    bodyForm: 'json',
    select,
    ...(body && { body }),
    ...options,
  });

const withoutBody =
  (row: ReturnType<typeof routeOf>) =>
  (path: string, select: Select, options: RouteOptions): Route =>
    row(path, undefined, select, options);

export const get = withoutBody(routeOf({ method: 'get', kind: 'query', status: 200 }));
export const post = routeOf({ method: 'post', kind: 'mutation', status: 201 });
export const postWithoutBody = withoutBody(post);
export const put = routeOf({ method: 'put', kind: 'mutation', status: 200 });
export const putWithoutBody = withoutBody(put);
export const del = withoutBody(routeOf({ method: 'delete', kind: 'mutation', status: 204 }));

export const partArguments = queryArguments('pageSize', 'currentPageIndex', 'offset', 'cursor');

/** The `If-Match` and `If-None-Match` conditions of a write. */
export const preconditions = { ifMatch: input('ifMatch'), ifNoneMatch: input('ifNoneMatch') };

export const pagingArguments = { ...partArguments, ...queryArguments('maxResults', 'sortBy', 'sortOrder') };

const [path, id] = [input('path'), input('address.id')];

/** The two URL patterns for a document: by path (§4.1) and by id (§4.2). Both have the same routes below them. */
export const documentAddresses = [
  { at: '/path{/*path}', by: 'Path', named: path, document: { path } },
  { at: '/id/:id', by: 'Id', named: id, document: { id } },
] as const;
