import {
  type Arguments,
  call,
  constant,
  Field,
  input,
  queryArguments,
  type Selection,
} from '../../selection/selection.ts';
import { logEntrySelection, logQueryArguments } from '../audit/entities.ts';
import { blobSelection } from '../blobs/entities.ts';
import { addressedGuard } from '../rights-first.ts';
import {
  del,
  documentAddresses,
  get,
  pagingArguments,
  partArguments,
  post,
  postWithoutBody,
  preconditions,
  put,
  type Route,
} from '../route.ts';
import { changedDocument, newDocument, singleBlobBody } from './bodies.ts';
import { businessObjectRows } from './business-object-routes.ts';

const blobPlaces: ReadonlyArray<{ below: string; place: Arguments; what: string; which: string }> = [
  { below: '/@blob', place: {}, what: 'MainBlob', which: 'the main file' },
  { below: '/@blob/*xpath', place: { xpath: input('xpath') }, what: 'Blob', which: 'a file' },
];

const updated = (args: Arguments): Field =>
  new Field({ arguments: args, of: { uid: true }, format: () => 'blob updated' });

const logged = {
  ...partArguments,
  ...queryArguments('sortBy', 'sortOrder'),
  ...logQueryArguments,
};

const written = { document: input('body') };

const blobRows = (at: string, by: string, address: Arguments): Route[] =>
  blobPlaces.flatMap(({ below, place, what, which }) => [
    get(at + below, () => ({ document: call(address, { blob: call(place, blobSelection) }) }), {
      name: `get${what}By${by}`,
      summary: `The bytes of ${which} of a document`,
      resultPath: ['document', 'blob'],
      answer: 'bytes',
      forGuests: true,
    }),
    put(
      at + below,
      singleBlobBody,
      () => ({ setBlob: updated({ ...address, ...place, ...preconditions, blob: input('body') }) }),
      {
        name: `set${what}By${by}`,
        summary: `Replace ${which} of a document`,
        guard: addressedGuard('WriteProperties'),
        bodyForm: 'oneFile',
        answer: 'text',
      },
    ),
    del(at + below, () => ({ removeBlob: call({ ...address, ...place, ...preconditions }, { uid: true }) }), {
      name: `remove${what}By${by}`,
      summary: `Remove ${which} of a document`,
    }),
  ]);

const unstored: Selection = { uid: constant(null), changeToken: constant(null) };

const adapterRows = (at: string, by: string, address: Arguments): Route[] => {
  const document = (of: Selection): Record<string, Field> => ({ document: call(address, of) });
  return [
    get(`${at}/@children`, (show) => document({ children: call(pagingArguments, show.documents) }), {
      name: `getChildrenBy${by}`,
      summary: 'List the children of a document',
      forGuests: true,
      resultPath: ['document', 'children'],
      csv: 'documents',
    }),
    get(`${at}/@audit`, (show) => document({ audit: call(logged, show.logEntries) }), {
      name: `getAuditBy${by}`,
      summary: 'List the log entries of a document, latest first',
      resultPath: ['document', 'audit'],
      csv: Object.keys(logEntrySelection).filter((name) => name !== 'entity-type'),
    }),
    get(
      `${at}/@emptyWithDefault`,
      (show) =>
        document({
          emptyWithDefault: call(queryArguments('type', 'name'), { ...show.document, ...unstored }),
        }),
      {
        name: `getEmptyDocumentBy${by}`,
        summary: 'The default values of a new document of a type',
        description: 'The document is not stored: its `uid` and its `changeToken` are null.',
        resultPath: ['document', 'emptyWithDefault'],
      },
    ),
  ];
};

const trashRows = (at: string, by: string, address: Arguments): Route[] => [
  postWithoutBody(
    `${at}/@trash`,
    (show) => ({ trashDocument: call({ ...address, ...preconditions }, show.document) }),
    {
      name: `trashDocumentBy${by}`,
      summary: 'Move a document and its descendants to the trash',
      description: 'The document gets another name and path until it is restored; its id does not change.',
      status: 200,
    },
  ),
  postWithoutBody(
    `${at}/@untrash`,
    (show) => ({ untrashDocument: call({ ...address, ...preconditions }, show.document) }),
    {
      name: `untrashDocumentBy${by}`,
      summary: 'Restore a document and its descendants from the trash',
      status: 200,
    },
  ),
];

/** The routes for documents (§4.1, §4.2). */
export const documentRoutes: readonly Route[] = documentAddresses.flatMap((addressed): Route[] => {
  const { at, by, named, document: address } = addressed;
  return [
    ...adapterRows(at, by, address),
    ...businessObjectRows(addressed),
    ...blobRows(at, by, address),
    ...trashRows(at, by, address),
    get(at, (show) => ({ document: call(address, show.document) }), {
      name: `getDocumentBy${by}`,
      summary: 'A document',
      forGuests: true,
    }),
    post(
      at,
      newDocument,
      (show) => ({
        createDocument: call(
          { [`parent${by}`]: named, document: input('body.document'), file: input('body.file') },
          show.document,
        ),
      }),
      {
        name: `createDocumentBy${by}`,
        guard: addressedGuard('AddChildren'),
        summary: 'Create a child of a document',
        description:
          'To include a file, send a form: the part `document` contains the JSON, and the other part contains the file.',
        bodyForm: 'jsonWithFile',
        forGuests: true,
      },
    ),
    put(
      at,
      changedDocument,
      (show) => ({ updateDocument: call({ ...address, ...written, ...preconditions }, show.document) }),
      {
        guard: addressedGuard('WriteProperties'),
        name: `updateDocumentBy${by}`,
        summary: 'Change the given properties of a document',
      },
    ),
    del(at, () => ({ deleteDocument: call({ ...address, ...preconditions }) }), {
      name: `deleteDocumentBy${by}`,
      summary: 'Permanently delete a document and its descendants',
    }),
  ];
});
