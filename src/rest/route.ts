import type { Operation } from '../automation/operation.ts';
import type { OperationKind } from '../selection/operation.ts';
import { input, queryArguments, type Selection } from '../selection/selection.ts';
import type { Entities } from './entities.ts';
import type { BodyReader } from './request/body.ts';
import type { Guard } from './rights-first.ts';

/**
 * `call` is the JSON of a call of an operation, or a form with it (§4.7). `oneFile` is the bytes of a
 * file or a form with one file, `file` the bytes of a file for an upload batch, `fields` a form that may stand for JSON,
 * `jsonWithFile` JSON, or a form with it and one file.
 */
export type BodyForm = 'json' | 'call' | 'callWithFiles' | 'oneFile' | 'file' | 'fields' | 'jsonWithFile';

/** One row of the table of routes (§4). */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** An Express pattern; `{*path}` is a document's path. */
  readonly path: string;
  /** The `operationId` in openapi.json, such as `getMe`; unique. */
  readonly name: string;
  readonly summary: string;
  readonly description?: string;
  readonly kind: OperationKind;
  readonly status: 200 | 201 | 202 | 204;
  /** Another status of a success, when it applies, and its description; 204 has no body. */
  readonly alternative?: {
    readonly status: 202 | 204;
    readonly description: string;
    readonly when: (entity: unknown) => boolean;
    /** The field of the entity with the address in `Location`. */
    readonly location?: string;
  };
  /**
   * Where a 201 creates something (`Location`) whose entity does not tell it: at the address of the request, such
   * as a membership, or below it under its `id`.
   */
  readonly createsAt?: 'address' | 'id';
  /** The status for an absent entity where it is not 404 (§4.5, §4.6). */
  readonly absentStatus?: 204;
  readonly body?: BodyReader;
  /** Rights that are checked before a large body is read, and before the faults of a body are told. */
  readonly guard?: Guard;
  readonly bodyForm: BodyForm;
  /** A query after which the uploads that it has used end (§4.7). */
  readonly endsUploads?: true;
  /** The one root field that the route asks of the GraphQL schema. */
  readonly select: (entities: Entities) => Selection;
  /** A query that comes first: the ids of the documents that it finds are the input `listed`. */
  readonly lists?: { readonly select: Selection; readonly path: readonly string[] };
  /** The path from the data to the answer; the root field when absent. */
  readonly resultPath?: readonly string[];
  /**
   * `bytes` streams a blob; `text` is the value itself, `page` a page of HTML; `result` is the outcome of an
   * operation, in the form of its kind; `execution` is the state of an asynchronous one; `conversion` is a
   * file, or where to ask for it.
   */
  readonly answer: 'entity' | 'bytes' | 'text' | 'page' | 'result' | 'execution' | 'conversion';
  /** The operation that the route calls, or `addressedOperation`; `PATH/@async` calls it asynchronously. */
  readonly operation?: string;
  /** For `Vary`: a header, beside those of §9, that the answer depends on. */
  readonly varies?: string;
  /** The `result` of every kind is sent as JSON. */
  readonly isJson?: boolean;
  /** Columns of the entries of a list, where `Accept: text/csv` is served. */
  readonly csv?: readonly string[] | 'documents';
  /** It may need a program to convert a file; where that is not installed, the answer is 501. */
  readonly needsPrograms?: true;
  /** From all but administrators: not in openapi.json, and operations are 403. The schema is the guard. */
  readonly isHidden?: true;
  /** Routes that differ only in an operation's name share one entry of openapi.json: its path. */
  readonly openApiPath?: string;
  /**
   * The route that serves an operation of the server, by its id or an alias, at the address where `:operation` stands for
   * its name. It comes before the row itself, which serves all other names.
   */
  readonly ofOperation?: (operation: Operation, name: string) => Route;
}

/** Stands for the name in the address. */
export const addressedOperation = ':operation';

export const isJsonOnly = ({ answer, isJson = answer === 'entity' }: Route): boolean => isJson;

export type RouteOptions = Pick<Route, 'name' | 'summary'> &
  Partial<Omit<Route, 'method' | 'path' | 'select' | 'body'>>;
type Select = Route['select'];

/** The defaults of a method; `options` of a route overrule them. */
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

/** `If-Match` and `If-None-Match` of writes. */
export const preconditions = { ifMatch: input('ifMatch'), ifNoneMatch: input('ifNoneMatch') };

export const pagingArguments = { ...partArguments, ...queryArguments('maxResults', 'sortBy', 'sortOrder') };

const [path, id] = [input('path'), input('address.id')];

/** Documents are addressed by path (§4.1) and by id (§4.2), with the same routes below both. */
export const documentAddresses = [
  { at: '/path{/*path}', by: 'Path', named: path, document: { path } },
  { at: '/id/:id', by: 'Id', named: id, document: { id } },
] as const;
