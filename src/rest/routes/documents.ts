import { type Arguments, call, Field, input, queried, type Selection } from '../../selection.ts';
import { changedDocument, newDocument, sentBlob } from '../bodies/documents.ts';
import { blob } from '../entities/blob.ts';
import { logEntry, logFilter } from '../entities/log-entries.ts';
import { del, get, page, post, put, type Route } from '../route.ts';

/** The main blob of a document, and any other. */
const blobPlaces: ReadonlyArray<{ below: string; place: Arguments; what: string; which: string }> = [
  { below: '/@blob', place: {}, what: 'MainBlob', which: 'the main file' },
  { below: '/@blob/*xpath', place: { xpath: input('xpath') }, what: 'Blob', which: 'a file' },
];

/** A write that answers in words that it is done. */
const updated = (given: Arguments): Field =>
  new Field({ arguments: given, of: { uid: true }, show: () => 'blob updated' });

/** Which log entries are wanted, and which page of them (§2.6). */
const logged = {
  ...queried('pageSize', 'currentPageIndex', 'offset', 'sortBy', 'sortOrder'),
  ...logFilter,
};

/** A document in an address: by path (§4.1) and by id (§4.2), with the same rows below. */
const addresses = [
  {
    at: '/path{/*path}',
    by: 'Path',
    document: { path: input('path') },
    parent: { parentPath: input('path') },
  },
  {
    at: '/id/:id',
    by: 'Id',
    document: { id: input('address.id') },
    parent: { parentId: input('address.id') },
  },
];

const written = { document: input('body') };
const guarded = { ifMatch: input('ifMatch') };

/** The rows of the files of a document. */
const blobRows = (at: string, by: string, address: Arguments): Route[] =>
  blobPlaces.flatMap(({ below, place, what, which }) => [
    get(at + below, () => ({ document: call(address, { blob: call(place, blob) }) }), {
      name: `get${what}By${by}`,
      summary: `The bytes of ${which} of a document`,
      ...{ show: ['document', 'blob'], answer: 'bytes' },
    }),
    put(
      at + below,
      sentBlob,
      () => ({ setBlob: updated({ ...address, ...place, ...guarded, blob: input('body') }) }),
      {
        name: `set${what}By${by}`,
        summary: `Replace ${which} of a document`,
        ...{ blobs: 'alone', answer: 'text' },
      },
    ),
    del(at + below, () => ({ removeBlob: call({ ...address, ...place, ...guarded }, { uid: true }) }), {
      name: `remove${what}By${by}`,
      summary: `Remove ${which} of a document`,
    }),
  ]);

/** What a document answers about itself at an adapter. */
const adapterRows = (at: string, by: string, address: Arguments): Route[] => {
  const document = (of: Selection): Record<string, Field> => ({ document: call(address, of) });
  return [
    get(`${at}/@children`, (show) => document({ children: call(page, show.documents) }), {
      name: `getChildrenBy${by}`,
      summary: 'What is directly in a document, page by page',
      show: ['document', 'children'],
    }),
    get(`${at}/@acl`, (show) => document(show.acls), {
      name: `getAclsBy${by}`,
      summary: 'The ACLs of a document, its own and inherited ones',
    }),
    get(`${at}/@audit`, (show) => document({ audit: call(logged, show.logEntries) }), {
      name: `getAuditBy${by}`,
      summary: 'What happened to a document, the latest first, page by page',
      show: ['document', 'audit'],
      csv: Object.keys(logEntry).filter((name) => name !== 'entity-type'),
    }),
  ];
};

/** §4.1, §4.2 Documents by path and by id. */
export const documents: readonly Route[] = addresses.flatMap(
  ({ at, by, document: address, parent }): Route[] => [
    ...adapterRows(at, by, address),
    ...blobRows(at, by, address),
    get(at, (show) => ({ document: call(address, show.document) }), {
      name: `getDocumentBy${by}`,
      summary: 'A document',
    }),
    post(at, newDocument, (show) => ({ createDocument: call({ ...parent, ...written }, show.document) }), {
      name: `createDocumentBy${by}`,
      summary: 'Create a document in the one that is addressed',
    }),
    put(
      at,
      changedDocument,
      (show) => ({ updateDocument: call({ ...address, ...written, ...guarded }, show.document) }),
      { name: `updateDocumentBy${by}`, summary: 'Change a document: the properties that are sent' },
    ),
    del(at, () => ({ deleteDocument: call({ ...address, ...guarded }) }), {
      name: `deleteDocumentBy${by}`,
      summary: 'Delete a document for good, with all below it',
    }),
  ],
);
