import { call, type Field, type Input, input, type Selection } from '../../selection/selection.ts';
import { documentAddresses, pagingArguments, type Route } from '../route.ts';
import { searchArguments } from '../search/adapter-routes.ts';
import { pageProviderArguments } from '../search/page-provider-routes.ts';
import { addressedOperationRow } from './addressed-routes.ts';

const entries: Selection = { entries: { uid: true } };

interface List {
  readonly at: string;
  readonly by: string;
  /** In the document. */
  readonly field: string;
  readonly page: Field;
}

const provider = { provider: input('address.name') };

/** Pages of documents at a document, with what comes before `/@op` in their addresses. */
const lists: readonly List[] = [
  { at: '@children', by: 'Children', field: 'children', page: call(pagingArguments, entries) },
  { at: '@search', by: 'Found', field: 'search', page: call(searchArguments, entries) },
  {
    at: '@pp/:name',
    by: 'Provided',
    field: 'provided',
    page: call({ ...pageProviderArguments, ...provider }, entries),
  },
];

interface OperatedList {
  /** Before `/NAME`, in the address. */
  readonly at: string;
  readonly by: string;
  readonly documents: Input;
  readonly lists?: Route['lists'];
}

const pages: readonly OperatedList[] = documentAddresses.flatMap(({ at, by, document }) =>
  lists.map(({ at: list, by: what, field, page }) => ({
    at: `${at}/${list}/@op`,
    by: `On${what}By${by}`,
    documents: input('listed'),
    lists: { select: { document: call(document, { [field]: page }) }, path: ['document', field, 'entries'] },
  })),
);

/** Where the input of an operation or a chain is a list of documents. */
export const operatedLists: readonly OperatedList[] = [
  ...pages,
  { at: '/bulk;:matrix/@op', by: 'OnIds', documents: input('matrix.id') },
];

export const listOperationRoutes: readonly Route[] = operatedLists.map(
  ({ at, by, documents, lists: listing }) => ({
    ...addressedOperationRow({
      path: `${at}/:operation`,
      name: `callOperation${by}`,
      summary: 'Call an operation or a chain with a list of documents as its input',
      input: { documents },
    }),
    ...(listing && { lists: listing }),
  }),
);
