import { queried, type Selection } from '../selection.ts';
import type { ReadBody } from './body.ts';
import type { Entities } from './entities.ts';

/** One row of the interface: everything that tells an address from the others. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In Express' words; `{*path}` is a document's path. */
  readonly path: string;
  /** What programs that are generated from the description of the interface call it: `getMe`, of no other row. */
  readonly name: string;
  /** What it does, in a few words. */
  readonly summary: string;
  /** And in more. */
  readonly description?: string;
  readonly kind: 'query' | 'mutation';
  /** Of success. */
  readonly status: 200 | 201 | 204;
  /** The status of some of what is shown, which ones, and what it says; 204 shows nothing. */
  readonly besides?: {
    readonly status: 202 | 204;
    readonly says: string;
    readonly when: (shown: unknown) => boolean;
  };
  /** Of an addressed thing that does not exist (§4.5, §4.6), when it is not 404. */
  readonly absent?: 204;
  readonly body?: ReadBody;
  /**
   * Whether the body may come in parts, JSON first (§4.7), and whether the others may be blobs then; `alone` is a form
   * with one blob and nothing else, `file` the bytes of one that goes into a batch.
   */
  readonly blobs?: boolean | 'alone' | 'file';
  /** What the route asks of the schema: one field, whose value, or a part of it, is the answer. */
  readonly ask: (entities: Entities) => Selection;
  /** Names from the answer's root to what is shown; the root field alone when absent. */
  readonly show?: readonly string[];
  /**
   * `bytes` streams the blob that was asked for; `text` is the value itself; `result` is whatever an operation
   * answers, `execution` how far an asynchronous one is.
   */
  readonly answer: 'entity' | 'bytes' | 'text' | 'result' | 'execution';
  /** Of the call of an operation: its name there. At `PATH/@async` it is called by those who do not wait for it. */
  readonly operation?: string;
  /** Whether a `result` is JSON, whatever it is. */
  readonly isJson?: boolean;
  /** Whether it aborts an execution, which must not stand in the way of this request's own transaction. */
  readonly aborts?: true;
  /** Of a list: the columns of its entries, for callers who would rather have `text/csv`. */
  readonly csv?: readonly string[];
  /** Whether it is there for administrators alone: nobody else is told of it. */
  readonly isForAdministrators?: true;
  /** Of one of many rows alike: the path of the one row that the description of the interface has for all of them. */
  readonly alike?: string;
}

/** Whether nothing but JSON is ever answered. */
export const isJsonOnly = ({ answer, isJson = answer === 'entity' }: Route): boolean => isJson;

/** What a row says besides. */
export type Options = Pick<Route, 'name' | 'summary'> &
  Partial<Omit<Route, 'method' | 'path' | 'ask' | 'body'>>;
type Ask = Route['ask'];

/** A read. */
export const get = (path: string, ask: Ask, options: Options): Route => ({
  ...{ method: 'get', path, kind: 'query', status: 200, answer: 'entity', ask },
  ...options,
});

/** A row that creates. */
export const post = (path: string, body: ReadBody | undefined, ask: Ask, options: Options): Route => ({
  ...{ method: 'post', path, kind: 'mutation', status: 201, answer: 'entity', ask },
  ...(body && { body }),
  ...options,
});

/** A row that creates by what its address says. */
export const postNothing = (path: string, ask: Ask, options: Options): Route => ({
  ...{ method: 'post', path, kind: 'mutation', status: 201, answer: 'entity', ask },
  ...options,
});

/** A row that changes. */
export const put = (path: string, body: ReadBody, ask: Ask, options: Options): Route => ({
  ...{ method: 'put', path, kind: 'mutation', status: 200, answer: 'entity', body, ask },
  ...options,
});

/** A row that changes by what its address says. */
export const putNothing = (path: string, ask: Ask, options: Options): Route => ({
  ...{ method: 'put', path, kind: 'mutation', status: 200, answer: 'entity', ask },
  ...options,
});

/** A row that deletes. */
export const del = (path: string, ask: Ask, options: Options): Route => ({
  ...{ method: 'delete', path, kind: 'mutation', status: 204, answer: 'entity', ask },
  ...options,
});

/** The arguments of a paged list. */
export const page = queried('pageSize', 'currentPageIndex', 'offset', 'maxResults', 'sortBy', 'sortOrder');
