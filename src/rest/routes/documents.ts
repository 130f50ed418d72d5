import { type Arguments, call, Field, input, queried, type Selection } from '../../selection.ts';
import { changedDocument, newDocument, sentBlob } from '../bodies/documents.ts';
import { blob } from '../entities/blob.ts';
import { logEntry, logFilter } from '../entities/log-entries.ts';
import { del, get, type Options, page, post, put, type Route } from '../route.ts';

/** The main blob of a document, and any other. */
const blobPlaces: ReadonlyArray<{ below: string; place: Arguments }> = [
  { below: '/@blob', place: {} },
  { below: '/@blob/*xpath', place: { xpath: input('xpath') } },
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
  { at: '/path{/*path}', document: { path: input('path') }, parent: { parentPath: input('path') } },
  { at: '/id/:id', document: { id: input('address.id') }, parent: { parentId: input('address.id') } },
];

const written = { document: input('body') };
const guarded = { ifMatch: input('ifMatch') };

/** §4.1, §4.2 Documents by path and by id. */
export const documents: readonly Route[] = addresses.flatMap(({ at, document: address, parent }): Route[] => {
  const document = (of: Selection): Record<string, Field> => ({ document: call(address, of) });
  const bytes: Options = { show: ['document', 'blob'], answer: 'bytes' };
  return [
    get(`${at}/@children`, (show) => document({ children: call(page, show.documents) }), {
      show: ['document', 'children'],
    }),
    get(`${at}/@acl`, (show) => document(show.acls)),
    get(`${at}/@audit`, (show) => document({ audit: call(logged, show.logEntries) }), {
      show: ['document', 'audit'],
      csv: Object.keys(logEntry).filter((name) => name !== 'entity-type'),
    }),
    ...blobPlaces.flatMap(({ below, place }) => [
      get(at + below, () => document({ blob: call(place, blob) }), bytes),
      put(
        at + below,
        sentBlob,
        () => ({ setBlob: updated({ ...address, ...place, ...guarded, blob: input('body') }) }),
        {
          ...{ blobs: 'alone', answer: 'text' },
        },
      ),
      del(at + below, () => ({ removeBlob: call({ ...address, ...place, ...guarded }, { uid: true }) })),
    ]),
    get(at, (show) => document(show.document)),
    post(at, newDocument, (show) => ({ createDocument: call({ ...parent, ...written }, show.document) })),
    put(at, changedDocument, (show) => ({
      updateDocument: call({ ...address, ...written, ...guarded }, show.document),
    })),
    del(at, () => ({ deleteDocument: call({ ...address, ...guarded }) })),
  ];
});
