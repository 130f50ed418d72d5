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

/** One row of the table of routes (§4). */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** An Express pattern; `{*path}` is the path of a document. */
  readonly path: string;
  /** The `operationId` in openapi.json, such as `getMe`. It is unique. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly kind: OperationKind;
  readonly status: 200 | 201 | 202 | 204;
  /** A second status of successful calls, its description, and when it applies. A 204 has no body. */
  readonly alternative?: {
    readonly status: 202 | 204;
    readonly description: string;
    readonly when: (entity: unknown) => boolean;
    /** The field of the entity whose value becomes the `Location` header. */
    readonly location?: string;
  };
  /**
   * The place of a created resource (`Location` of a 201) whose entity does not determine it: the address of
   * the request, as for a membership, or the `id` of the entity below that address.
   */
  readonly createsAt?: 'address' | 'id';
  /** The status for an entity that does not exist, if it is not 404 (§4.5, §4.6). */
  readonly absentStatus?: 204;
  readonly body?: BodyReader;
  /** The permission that is checked before a large body is read, and before faults in a body are reported. */
  readonly guard?: Guard;
  readonly bodyForm: BodyForm;
  /** Set on queries after which the uploads they used are deleted (§4.7). */
  readonly endsUploads?: true;
  /** Selects the one root field of the GraphQL schema that the route uses. */
  readonly select: (entities: Entities) => Selection;
  /** A query that runs first. The ids of the documents that it finds become the input `listed`. */
  readonly lists?: { readonly select: Selection; readonly path: readonly string[] };
  /** The path of the response within the data; the root field if absent. */
  readonly resultPath?: readonly string[];
  /**
   * How the response is sent:
   * - `entity`: as JSON
   * - `bytes`: a blob, streamed
   * - `text`: the value itself
   * - `page`: an HTML page
   * - `result`: the result of an operation, in the form of its kind
   * - `execution`: the state of an asynchronous execution
   * - `conversion`: a file, or the address at which to poll for it
   */
  readonly answer: 'entity' | 'bytes' | 'text' | 'page' | 'result' | 'execution' | 'conversion';
  /**
   * The id of the operation that the route calls, or `addressedOperation`. `PATH/@async` calls it
   * asynchronously.
   */
  readonly operation?: string;
  /** A header, other than those of §9, that the response depends on. `Vary` lists it. */
  readonly varies?: string;
  /** Whether `result` is always sent as JSON. */
  readonly isJson?: boolean;
  /** The CSV columns for list entries, if the route serves `Accept: text/csv`. */
  readonly csv?: readonly string[] | 'documents';
  /** Set if the route may need an external program to convert a file. Without that program it responds with 501. */
  readonly needsPrograms?: true;
  /**
   * Set if only administrators see the route: openapi.json omits it, and its operation responds with 403 to others.
   * Permissions are still checked by the GraphQL schema.
   */
  readonly isHidden?: true;
  /**
   * The path of the shared entry in openapi.json for routes that differ only in the name of their operation.
   */
  readonly openApiPath?: string;
  /**
   * Creates the route for one of the server's operations, called by its id or an alias, at a path that
   * contains `:operation`. That route takes precedence over this row, which serves all other names.
   */
  readonly ofOperation?: (operation: Operation, name: string) => Route;
}

/** The path parameter that holds the name of an operation. */
export const addressedOperation = ':operation';

export const isJsonOnly = ({ answer, isJson = answer === 'entity' }: Route): boolean => isJson;

export type RouteOptions = Pick<Route, 'name' | 'summary'> &
  Partial<Omit<Route, 'method' | 'path' | 'select' | 'body'>>;
type Select = Route['select'];

/** Creates routes with the defaults of a method, which `options` can override. */
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

/** The two addresses of a document, by path (§4.1) and by id (§4.2). Both have the same routes below them. */
export const documentAddresses = [
  { at: '/path{/*path}', by: 'Path', named: path, document: { path } },
  { at: '/id/:id', by: 'Id', named: id, document: { id } },
] as const;
