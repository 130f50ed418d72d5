import { call, input } from '../../selection/selection.ts';
import { del, get, put, type Route } from '../route.ts';
import { changedDocument } from './bodies.ts';

const path = '/bulk;:matrix';
const ids = { ids: input('matrix.id') };

/** The routes for several documents at once, with the reference implementation's path `/bulk;id=A;id=B`. */
export const documentsByIdsRoutes: readonly Route[] = [
  get(path, (show) => ({ documentList: call(ids, show.documentList) }), {
    name: 'getDocumentsByIds',
    summary: 'Several documents by their ids',
  }),
  put(
    path,
    changedDocument,
    (show) => ({
      updateDocuments: call({ ...ids, document: input('body') }, show.documentList),
    }),
    {
      name: 'updateDocumentsByIds',
      summary: 'Change the same properties of several documents; if one fails, none is changed',
    },
  ),
  del(path, () => ({ deleteDocuments: call(ids) }), {
    name: 'deleteDocumentsByIds',
    summary: 'Permanently delete several documents with their descendants; if one fails, none is deleted',
  }),
];
