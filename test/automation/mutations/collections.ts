import { createDocument } from '../../support/documents.ts';
import type { TestServer } from '../../support/server.ts';
import {
  by,
  documentInFolder,
  type Given,
  type Mutation,
  type Places,
  sameDocument,
  usual,
} from './mutation.ts';

/** A document and an empty collection. */
const besideCollection = async (server: TestServer) => ({
  document: await createDocument(server),
  collection: await createDocument(server, { type: 'Collection' }),
});

/** Two documents, and a collection of both. */
async function collected(server: TestServer): Promise<Places> {
  const places = { ...(await besideCollection(server)), other: await createDocument(server) };
  const params = { collection: places.collection.uid };
  for (const member of [places.document, places.other])
    await by(server, 'Document.AddToCollection', member, params);
  return places;
}

const ofCollection = ({ document, collection }: Places): Given => ({
  input: document?.uid,
  params: { collection: collection?.uid },
});

const membership = {
  given: ofCollection,
  answers: sameDocument,
  needs: { document: ['Read'], collection: ['WriteProperties'] },
} as const;

const noCollection: Mutation['refuses'] = [
  { given: ({ document }) => ({ input: document?.uid }), status: 400, message: /^collection is missing$/ },
  {
    given: ({ document }) => ({ input: document?.uid, params: { collection: document?.path } }),
    status: 400,
    message: /is not a collection\.$/,
  },
  {
    given: ({ document }) => ({ input: document?.uid, params: { collection: '/nosuch' } }),
    status: 404,
    message: /^There is no document at \/nosuch\.$/,
  },
];

/** Operations that write collections and memberships. */
export const collectionMutations: Readonly<Record<string, Mutation>> = {
  'Collection.Create': {
    ...usual,
    make: documentInFolder,
    given: ({ parent }) => ({ input: parent?.uid, params: { name: 'a/b' } }),
    answers: ({ parent }) => ({ type: 'Collection', path: `${parent?.path}/a-b`, title: 'a/b' }),
    needs: { parent: ['AddChildren'] },
    refuses: [
      { given: () => ({}), status: 400, message: /^name is missing$/ },
      {
        given: ({ parent }) => ({ input: parent?.uid, params: { name: ' ' } }),
        status: 400,
        message: /blank/,
      },
    ],
    records: [['documentCreated', 'answer']],
    isNeverQuiet: true,
  },
  'Collection.RemoveFromCollection': {
    ...membership,
    make: collected,
    refuses: noCollection,
    records: [['removedFromCollection', 'document']],
  },
  'Document.AddToCollection': {
    ...membership,
    make: besideCollection,
    refuses: [
      ...noCollection,
      {
        given: ({ collection }) => ({ input: collection?.uid, params: { collection: collection?.uid } }),
        status: 400,
        message: /^Documents of type Collection cannot be in a collection\.$/,
      },
    ],
    records: [['addedToCollection', 'document']],
  },
  'Document.MoveCollectionMember': {
    make: collected,
    given: ({ collection, other }) => ({ input: collection?.uid, params: { member1: other?.uid } }),
    answers: () => ({ 'entity-type': 'boolean', value: true }),
    needs: { other: ['Read'], collection: ['WriteProperties'] },
    refuses: [
      {
        given: ({ collection }) => ({ input: collection?.uid }),
        status: 400,
        message: /^member1 is missing$/,
      },
      {
        given: ({ document }) => ({ input: document?.uid, params: { member1: document?.uid } }),
        status: 400,
        message: /is not a collection\.$/,
      },
      {
        given: ({ collection }) => ({ input: collection?.uid, params: { member1: '/nosuch' } }),
        status: 404,
        message: /^There is no document at \/nosuch\.$/,
      },
    ],
    records: [],
  },
};
