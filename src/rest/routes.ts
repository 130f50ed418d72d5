import { type Arguments, call, type Field, input, type Selection } from '../selection.ts';
import { changedDocument, newDocument, type ReadBody } from './bodies.ts';
import type { Entities } from './entities.ts';

/** One row of the interface: everything that tells an address from the others. */
export interface Route {
  readonly method: 'get' | 'post' | 'put' | 'delete';
  /** In Express' words; `{*path}` is a document's path. */
  readonly path: string;
  readonly kind: 'query' | 'mutation';
  /** Of success. */
  readonly status: 200 | 201 | 204;
  /** Of an addressed thing that does not exist (§4.5, §4.6), when it is not 404. */
  readonly absent?: 204;
  readonly body?: ReadBody;
  /** What the route asks of the schema: one field, whose value, or a part of it, is the answer. */
  readonly ask: (entities: Entities) => Selection;
  /** Names from the answer's root to what is shown; the root field alone when absent. */
  readonly show?: readonly string[];
  /** `bytes` streams the blob that was asked for. */
  readonly answer: 'entity' | 'bytes';
}

type Options = Partial<Pick<Route, 'absent' | 'show' | 'answer' | 'status'>>;
type Ask = Route['ask'];

const get = (path: string, ask: Ask, options: Options = {}): Route => ({
  ...{ method: 'get', path, kind: 'query', status: 200, answer: 'entity', ask },
  ...options,
});

const post = (path: string, body: ReadBody, ask: Ask): Route => ({
  ...{ method: 'post', path, kind: 'mutation', status: 201, answer: 'entity', body, ask },
});

const put = (path: string, body: ReadBody, ask: Ask): Route => ({
  ...{ method: 'put', path, kind: 'mutation', status: 200, answer: 'entity', body, ask },
});

const del = (path: string, ask: Ask): Route => ({
  ...{ method: 'delete', path, kind: 'mutation', status: 204, answer: 'entity', ask },
});

const page: Arguments = {
  pageSize: input('pageSize'),
  currentPageIndex: input('currentPageIndex'),
  offset: input('offset'),
  maxResults: input('maxResults'),
  sortBy: input('sortBy'),
  sortOrder: input('sortOrder'),
};

const blob: Selection = {
  name: true,
  mimeType: true,
  encoding: true,
  digest: true,
  length: true,
  text: true,
};
const blobAt = (xpath: Arguments): Selection => ({ blob: call(xpath, blob) });

/** A document in an address: by path (§4.1) and by id (§4.2), with the same rows below. */
const addresses = [
  { at: '/path{/*path}', document: { path: input('path') }, parent: { parentPath: input('path') } },
  { at: '/id/:id', document: { id: input('id') }, parent: { parentId: input('id') } },
];

const written = { document: input('body') };
const guarded = { ifMatch: input('ifMatch') };

const documents = addresses.flatMap(({ at, document: address, parent }): Route[] => {
  const document = (of: Selection): Record<string, Field> => ({ document: call(address, of) });
  const bytes: Options = { show: ['document', 'blob'], answer: 'bytes' };
  return [
    get(`${at}/@children`, (show) => document({ children: call(page, show.documents) }), {
      show: ['document', 'children'],
    }),
    get(`${at}/@blob`, () => document(blobAt({})), bytes),
    get(`${at}/@blob/*xpath`, () => document(blobAt({ xpath: input('xpath') })), bytes),
    get(at, (show) => document(show.document)),
    post(at, newDocument, (show) => ({ createDocument: call({ ...parent, ...written }, show.document) })),
    put(at, changedDocument, (show) => ({
      updateDocument: call({ ...address, ...written, ...guarded }, show.document),
    })),
    del(at, () => ({ deleteDocument: call({ ...address, ...guarded }) })),
  ];
});

const name = { name: input('name') };

/** §4.6 Configuration introspection. */
const config: Route[] = [
  get('/config/facets', ({ facets }) => ({ facets })),
  get('/config/facets/:name', ({ facet }) => ({ facet: call(name, facet) }), { absent: 204 }),
  get('/config/schemas', ({ schemas }) => ({ schemas })),
  get('/config/schemas/:name', ({ schema }) => ({ schema: call(name, schema) }), { absent: 204 }),
  get('/config/types', ({ docTypes }) => ({ docTypes })),
  get('/config/types/:name', ({ docType }) => ({ docType: call(name, docType) }), { absent: 204 }),
];

/** The whole interface below /api/v1. Of two rows that match an address, the first counts. */
export const routes: readonly Route[] = [...documents, ...config];
