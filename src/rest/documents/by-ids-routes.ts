import { call, input } from '../../selection/selection.ts';
import { del, get, put, type Route } from '../route.ts';
import { changedDocument } from './bodies.ts';

const path = '/bulk;:matrix';
const ids = { ids: input('matrix.id') };

/** Reads several documents at once, at the reference implementation's address `/bulk;id=A;id=B`. */
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
    { name: 'updateDocumentsByIds', summary: 'Change the same properties of several documents, all or none' },
  ),
  del(path, () => ({ deleteDocuments: call(ids) }), {
    name: 'deleteDocumentsByIds',
    summary: 'Permanently delete several documents with their descendants, all or none',
  }),
];
