import { type Arguments, call, type Field, input, type Selection } from '../../selection/selection.ts';
import { documentAddresses, pagingArguments, type Route } from '../route.ts';
import { searchArguments } from '../search/adapter-routes.ts';
import { pageProviderArguments } from '../search/page-provider-routes.ts';

/** A path at which operations and chains can be called. */
export interface CallAddress {
  /** The part of the path before `/NAME`. */
  readonly at: string;
  /** The suffix of the `operationId` of these routes. */
  readonly by: string;
  readonly summary: string;
  /** The GraphQL argument for the document that the path identifies. */
  readonly document?: Arguments[string];
  /** The GraphQL arguments for any other input that the path identifies. */
  readonly input?: Arguments;
  /** The query that finds the input documents, if they have to be found before the call. */
  readonly lists?: NonNullable<Route['lists']>;
}

const listed = 'Call an operation or a chain with a list of documents as its input';
const batch = { batch: input('address.batch') };

const entries: Selection = { entries: { uid: true } };

/**
 * The lists that contain documents below a document: for each, the adapter, the suffix of the `operationId`, and the
 * GraphQL field.
 */
const lists: ReadonlyArray<readonly [adapter: string, by: string, field: string, page: Field]> = [
  ['@children', 'Children', 'children', call(pagingArguments, entries)],
  ['@search', 'Found', 'search', call(searchArguments, entries)],
  [
    '@pp/:name',
    'Provided',
    'provided',
    call({ ...pageProviderArguments, provider: input('address.name') }, entries),
  ],
];

export const callAddresses: readonly CallAddress[] = [
  {
    at: '/automation',
    by: '',
    summary: 'Call an operation or a chain by its id or an alias',
  },
  ...documentAddresses.map(({ at, by, named }) => ({
    at: `${at}/@op`,
    by: `By${by}`,
    summary: 'Call an operation or a chain with a document as its input',
    document: named,
  })),
  {
    at: '/upload/:batch/execute',
    by: 'OnBatch',
    summary: 'Call an operation or a chain with all files of a batch as its input',
    input: { upload: batch },
  },
  {
    at: '/upload/:batch/:file/execute',
    by: 'OnFile',
    summary: 'Call an operation or a chain with a file of a batch as its input',
    input: { upload: { ...batch, file: input('address.file') } },
  },
  ...documentAddresses.flatMap(({ at, by, document }) =>
    lists.map(([adapter, of, field, page]) => ({
      at: `${at}/${adapter}/@op`,
      by: `On${of}By${by}`,
      summary: listed,
      input: { documents: input('listed') },
      lists: {
        select: { document: call(document, { [field]: page }) },
        path: ['document', field, 'entries'],
      },
    })),
  ),
  {
    at: '/bulk;:matrix/@op',
    by: 'OnIds',
    summary: listed,
    input: { documents: input('matrix.id') },
  },
];
